// The time: play, pause, steps, speed. A time is a number of steps; step k is from k to k + 1.
import { element } from "./dom.js";

const SPEEDS = [
    ["0.1", "0.1×"],
    ["0.25", "¼×"],
    ["1", "1×"],
    ["4", "4×"],
];

const ICONS = {
    play: "M5 3 L13 8 L5 13 Z",
    pause: "M4 3 H7 V13 H4 Z M9 3 H12 V13 H9 Z",
    back: "M3 3 H5 V13 H3 Z M13 3 L6 8 L13 13 Z",
    forward: "M11 3 H13 V13 H11 Z M3 3 L10 8 L3 13 Z",
};

function setIcon(button, name) {
    const space = "http://www.w3.org/2000/svg";
    const picture = document.createElementNS(space, "svg"),
        path = document.createElementNS(space, "path");
    picture.setAttribute("viewBox", "0 0 16 16");
    path.setAttribute("d", ICONS[name]);
    picture.append(path);
    button.replaceChildren(picture);
}

/** The step of a time. The end of a step belongs to it. */
export const stepOf = (time, steps) => Math.min(Math.max(0, Math.ceil(time) - 1), steps - 1);

export class Player {
    constructor(steps, frameTime, onchange, onplay) {
        this.frameTime = frameTime;
        this.steps = steps;
        this.onchange = onchange;
        this.onplay = onplay;
        this.time = 0;
        this.playing = false;
        // At speed 1 a short sequence takes two seconds, a long one runs at 10 steps per second.
        this.rate = Math.min(10, Math.max(0.5, steps / 2));
        this.speed = 1;
        this.makeControls();
    }

    get step() {
        return stepOf(this.time, this.steps);
    }

    makeControls() {
        const button = (icon, label, onclick) => {
            const made = element("button", { type: "button", "aria-label": label, title: label, onclick });
            setIcon(made, icon);
            return made;
        };
        this.playButton = button("play", "Play", () => this.toggle());
        this.slider = element("input", {
            type: "range",
            min: 0,
            max: this.steps,
            step: "any",
            value: 0,
            class: "time",
            "aria-label": "Time",
            oninput: () => {
                this.pause();
                this.set(Number(this.slider.value));
            },
        });
        this.label = element("output", { class: "clock" });
        const speed = element("select", {
            "aria-label": "Speed",
            title: "Speed",
            onchange: () => (this.speed = Number(speed.value)),
        });
        for (const [value, text] of SPEEDS)
            speed.append(element("option", { value, selected: value === "1" }, text));
        this.controls = element(
            "div",
            { class: "controls" },
            this.playButton,
            button("back", "Step back", () => this.go(-1)),
            button("forward", "Step forward", () => this.go(1)),
            this.slider,
            this.label,
            speed,
        );
    }

    /** Show another time; `quietly` when the caller updates the rest. */
    set(time, quietly = false) {
        this.time = Math.min(this.steps, Math.max(0, time));
        this.slider.value = this.time;
        // On a phone there is no room for more.
        this.label.textContent = `frame ${this.frameTime(this.step, this.time - this.step).toFixed(2)}`;
        if (!quietly) this.onchange();
    }

    go(direction) {
        this.pause();
        const next = direction > 0 ? Math.floor(this.time) + 1 : Math.ceil(this.time) - 1;
        this.set(next);
    }

    toggle() {
        if (this.playing) this.pause();
        else this.play();
    }

    pause() {
        if (!this.playing) return;
        this.playing = false;
        this.onplay(false);
        setIcon(this.playButton, "play");
        this.playButton.setAttribute("aria-label", "Play");
    }

    play() {
        this.playing = true;
        this.onplay(true);
        setIcon(this.playButton, "pause");
        this.playButton.setAttribute("aria-label", "Pause");
        if (this.time >= this.steps) this.set(0);
        let last = performance.now();
        const tick = (now) => {
            if (!this.playing) return;
            const next = this.time + (Math.max(0, now - last) / 1000) * this.rate * this.speed;
            last = now;
            this.set(next);
            if (next >= this.steps) this.pause();
            else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }
}

// The page in live mode: `fracas play` serves it, runs the scene, and sends frames over a websocket.
// docs/play.md describes the protocol.
import { Plane, Vector3 } from "three";
import { KINDS } from "./data.js";
import { choice, element } from "./dom.js";
import { findGround } from "./ground.js";
import { Sparkline } from "./sparkline.js";
import { count, number } from "./words.js";

const PROTOCOL = 1;
const SECTIONS = ["begins", "corners", "grids", "places", "marks", "columns"];

/** What the server wrote into the page; null: the page is a report. */
export function liveData(text) {
    if (text.length > 1000 || !text.includes('"live"')) return null;
    const data = JSON.parse(text);
    return data.live ? data : null;
}

// ---- frames

/** A binary message: a head as JSON and arrays. */
export function decodeFrame(buffer) {
    const [protocol, size] = new Uint32Array(buffer, 0, 2);
    if (protocol !== PROTOCOL)
        throw new Error(`a frame has protocol ${protocol}, but the page speaks ${PROTOCOL}`);
    const frame = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
    let at = 8 + 8 * Math.ceil(size / 8);
    SECTIONS.forEach((name, i) => {
        frame[name] = { buffer, at, size: frame.sizes[i] };
        at += 8 * Math.ceil(frame.sizes[i] / 8);
    });
    if (at !== buffer.byteLength) throw new Error("a frame is cut off");
    return frame;
}

const array = (Type, { buffer, at, size }) => new Type(buffer, at, size / Type.BYTES_PER_ELEMENT);

function makeTopology({ topology, bodies, vertices, triangles, begins, corners }) {
    const numbers = array(Uint32Array, begins);
    return {
        index: topology,
        bodies,
        vertices,
        triangles,
        vertexBegins: numbers.subarray(0, bodies + 1),
        triangleBegins: numbers.subarray(bodies + 1),
        indices: array(Uint32Array, corners),
    };
}

/** A report without steps, whose only step is replaced by each frame. */
const emptyReport = ({ title, fracas, encoding }) => ({
    title,
    fracas,
    encoding,
    answer: "",
    bodies: [],
    origin: [0, 0, 0],
    scale: 1,
    summary: { steps: [], totals: Object.fromEntries(KINDS.map((kind) => [kind, 1])) },
    contacts: [{ found: 0, written: 0, marked: 0, columns: new Uint8Array() }],
    pairs: [],
    meshes: [],
    topologies: [],
    keys: [],
});

// ---- the page

export const makeLivePage = (Page) =>
    class LivePage extends Page {
        constructor(data) {
            super(emptyReport(data), "");
            this.steps = this.report.summary.steps = [{ frame: 0, moves: true, ms: {} }];
            Object.assign(this.filters, { from: -Infinity, to: Infinity, end: Infinity });
            this.meshes = { keys: [0], at: () => this.key_ ?? null };
            this.player = {
                step: 0,
                time: 1,
                playing: false,
                set() {},
                pause: () => this.player.playing && this.send({ do: "pause" }),
                toggle: () => this.send({ do: this.player.playing ? "pause" : "play" }),
                go: (direction) => direction > 0 && this.send({ do: "step" }),
            };
            this.shown = { frame: 0, step: 0 };
            this.mouse = "drag";
            this.frameTimes = [];
        }

        // ---- building

        build(root) {
            document.title = `Fracas: ${this.report.title}, live`;
            this.holder = element("div", { class: "view" });
            this.status = element("p", { class: "status", role: "status" });
            this.about = element("p", { class: "note about" });
            this.alerts = element("div", { class: "alerts" });
            this.settings = element("div", { class: "tools settings" });
            this.tools = this.makeTools();
            const stage = element(
                "div",
                { class: "stage" },
                this.tools,
                this.settings,
                this.holder,
                this.makeControls(),
                this.status,
            );
            const go = (text, label, direction) =>
                element(
                    "button",
                    { type: "button", "aria-label": label, onclick: () => this.go(direction) },
                    text,
                );
            const aside = element(
                "aside",
                {},
                element(
                    "div",
                    { class: "steppers" },
                    go("‹ previous", "Previous contact", -1),
                    go("next ›", "Next contact", 1),
                ),
                this.list.title,
                this.list.rows,
            );
            root.classList.add("live");
            root.replaceChildren(
                element("header", {}, element("h1", {}, `Scene ${this.report.title}, live`), this.about),
                this.alerts,
                element("div", { class: "work" }, stage, aside),
                element(
                    "footer",
                    {},
                    element(
                        "span",
                        { class: "note" },
                        `Fracas ${this.report.fracas}, on this machine. Positions on this page are rounded to 16 bits for each body; contacts are decided on all bits. `,
                        "Keys: space plays and pauses, → steps, p and n go to the previous and next contact.",
                    ),
                ),
            );
            this.openView((text) => element("p", { class: "warning", role: "note" }, text));
            this.listenToMouse();
            addEventListener("keydown", (event) => this.key(event));
            this.connect();
        }

        makeControls() {
            const button = (text, label, onclick) =>
                element("button", { type: "button", "aria-label": label, onclick }, text);
            this.playButton = button("Play", "Play", () => this.player.toggle());
            this.clock = element("output", { class: "clock" });
            this.cost = element("output", { class: "cost" });
            this.line = new Sparkline("Milliseconds of the last steps");
            return element(
                "div",
                { class: "controls" },
                this.playButton,
                button("Step", "Step", () => this.send({ do: "step" })),
                button("Reset", "Reset", () => this.send({ do: "reset" })),
                this.clock,
                this.line.picture,
                this.cost,
            );
        }

        /** The settings that this scene has, as the server says. */
        showSettings({ settings, touch }) {
            const numeric = (name, title) => {
                const input = element("input", {
                    type: "number",
                    min: 0,
                    step: 1,
                    value: settings[name],
                    "aria-label": name,
                    title,
                    onchange: () => this.send({ do: "reset", [name]: Number(input.value) }),
                });
                return element("label", { class: "field" }, element("span", {}, name), input);
            };
            const parts = [numeric("threads", "0: one per core. A change restarts the scene.")];
            if ("size" in settings)
                parts.push(numeric("size", "Triangles; 0: the default. A change restarts the scene."));
            if ("cull" in settings)
                parts.push(
                    choice(
                        "cull",
                        settings.culls.map((name) => [name, name]),
                        (cull) => this.send({ do: "reset", cull }),
                        settings.cull,
                    ),
                );
            if (touch)
                parts.push(
                    choice(
                        "mouse",
                        [
                            ["drag", "drags bodies"],
                            ["drop", "drops balls"],
                            ["look", "turns only"],
                        ],
                        (value) => (this.mouse = value),
                        this.mouse,
                    ),
                );
            this.settings.replaceChildren(...parts);
        }

        // ---- the connection

        connect() {
            this.alerts.replaceChildren();
            this.farewell = null;
            this.socket = new WebSocket(`ws://${location.host}${location.pathname}socket`);
            this.socket.binaryType = "arraybuffer";
            this.socket.onmessage = ({ data }) => {
                try {
                    if (typeof data === "string") this.receive(JSON.parse(data));
                    else this.receiveFrame(decodeFrame(data));
                } catch (error) {
                    this.say(`The page cannot show what the server sent: ${error.message}.`);
                    console.error(error);
                }
            };
            this.socket.onclose = () => {
                this.showPlaying(false);
                const text =
                    this.farewell ?? "The connection to fracas play has ended. Is it still running?";
                this.say(
                    text,
                    element("button", { type: "button", onclick: () => this.connect() }, "connect again"),
                );
            };
        }

        send(message) {
            if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
        }

        say(text, ...more) {
            this.alerts.replaceChildren(element("p", { class: "warning", role: "alert" }, text, " ", ...more));
        }

        receive(message) {
            const actions = {
                hello: () => this.greet(message),
                error: () => this.say(message.message),
                refused: () => this.say(`The server refused a message: ${message.message}.`),
                note: () => (this.status.textContent = message.message),
                taken: () => (this.farewell = message.message),
                bye: () => (this.farewell = message.message),
            };
            actions[message.type]?.();
        }

        greet(hello) {
            if (hello.protocol !== PROTOCOL)
                return this.say(`The server speaks protocol ${hello.protocol}, the page ${PROTOCOL}.`);
            this.hello = hello;
            this.about.textContent = `${hello.description}${hello.steps ? `; ${count(hello.steps, "step")}` : ""}`;
            this.showSettings(hello);
            const up = this.tools.querySelector('[aria-label="up"]');
            if (up.value === hello.up) return;
            up.value = hello.up;
            this.view?.home(hello.up);
        }

        // ---- frames

        receiveFrame(frame) {
            if (frame.sizes[0]) this.topology = makeTopology(frame);
            const state = { grids: array(Float64Array, frame.grids), places: array(Uint16Array, frame.places) };
            const { report } = this;
            // Another scene: the camera starts again.
            if (frame.scale !== report.scale || frame.origin.some((x, i) => x !== report.origin[i]))
                this.motion = null;
            Object.assign(report, { origin: frame.origin, scale: frame.scale });
            if (this.view && !this.motion) this.view.ground = findGround(this.topology, state, this.hello?.up);
            this.key_ = { topology: this.topology, from: state, to: state, begin: 0, end: 1 };
            report.contacts[0] = {
                found: frame.found,
                written: frame.written,
                marked: frame.marked,
                topology: this.topology.index,
                marks: array(Uint8Array, frame.marks),
                columns: array(Uint8Array, frame.columns),
            };
            this.steps[0] = { frame: frame.step, moves: !this.hello?.touch, ms: {} };
            if (frame.step !== this.shown.step) this.selected = null;
            this.fixedBodies = new Set(frame.fixed ?? []);
            this.shown = frame;
            this.cache = { step: -1 };
            this.showPlaying(frame.playing);
            this.refresh(true);
            this.showNumbers(frame);
            // In a hidden tab this waits, and so does the server.
            requestAnimationFrame(() => this.send({ do: "got", frame: frame.frame }));
        }

        showPlaying(playing) {
            const changed = this.player.playing !== playing;
            this.player.playing = playing;
            this.playButton.textContent = playing ? "Pause" : "Play";
            this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
            if (changed && !playing) this.listTime = 0;
        }

        showNumbers({ step, ms, marked, skipped, broken, ended, playing }) {
            const now = performance.now();
            this.frameTimes = [...this.frameTimes.filter((time) => now - time < 1000), now];
            const all = this.hello?.steps ? ` of ${number(this.hello.steps)}` : "";
            this.clock.textContent = `step ${number(step)}${all}`;
            if (step) this.line.add(ms.step);
            else this.line.clear();
            const rate = playing ? `, ${count(this.frameTimes.length, "frame")} a second` : "";
            this.cost.textContent = `${ms.step.toFixed(1)} ms a step, detection ${ms.detect.toFixed(1)} ms${rate}`;
            const parts = [`${count(marked, "triangle")} marked`];
            if (this.hello?.touch) parts.push(count(broken, "fracture"));
            else if (broken) parts.push(`${count(broken, "element")} edited`);
            if (skipped) parts.push(`${count(skipped, "step")} not shown`);
            if (ended) parts.push("the scene has ended; reset starts it again");
            this.status.textContent = `${parts.join(", ")}.`;
        }

        refreshList(step, cache, all, playing) {
            const status = this.status.textContent;
            super.refreshList(step, cache, all, playing);
            this.status.textContent = status;
            this.list.title.textContent = this.list.title.textContent.replace(
                /in step \d+$/,
                `in step ${this.shown.step}`,
            );
        }

        // The address of the page has a token and stays as it is.
        remember() {}

        // ---- the mouse

        /** What is under the pointer, and its body. */
        touchedBody(event) {
            const hit = this.view?.hitAt(event);
            if (!hit || !this.topology) return null;
            const { triangleBegins, bodies } = this.topology;
            const body = triangleBegins.findLastIndex((begin, b) => b < bodies && begin <= hit.triangle);
            return { body, point: hit.point };
        }

        listenToMouse() {
            if (!this.view) return;
            const { holder } = this;
            let down = null;
            // Before the controls of the camera get the event.
            const before = { capture: true };
            holder.addEventListener("pointerdown", (event) => this.grab((down = event)), before);
            holder.addEventListener("pointermove", (event) => this.drag(event), before);
            const up = (event) => {
                const still = down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 5;
                down = null;
                if (this.plane) this.release();
                else if (event.type === "pointerup" && still) this.drop(event);
            };
            holder.addEventListener("pointerup", up, before);
            holder.addEventListener("pointercancel", up, before);
        }

        grab(event) {
            if (!this.hello?.touch || this.mouse !== "drag" || event.button !== 0) return;
            const touched = this.touchedBody(event);
            if (!touched || this.fixedBodies.has(touched.body)) return;
            const { view } = this;
            const way = view.camera.getWorldDirection(new Vector3());
            this.plane = new Plane().setFromNormalAndCoplanarPoint(way, touched.point);
            view.controls.enabled = false;
            view.canvas.setPointerCapture(event.pointerId);
            const { x, y, z } = touched.point;
            this.send({ do: "grab", body: touched.body, x, y, z });
        }

        drag(event) {
            if (!this.plane || this.waiting) return;
            // Once for each frame of the screen.
            this.waiting = requestAnimationFrame(() => {
                this.waiting = 0;
                const at = this.plane && this.view.rayAt(event).intersectPlane(this.plane, new Vector3());
                if (at) this.send({ do: "drag", x: at.x, y: at.y, z: at.z });
            });
        }

        release() {
            this.plane = null;
            this.view.controls.enabled = true;
            this.send({ do: "release" });
        }

        drop(event) {
            if (!this.hello?.touch || this.mouse !== "drop") return;
            const touched = this.touchedBody(event);
            if (!touched) return;
            const { x, y, z } = touched.point;
            this.send({ do: "drop", x, y, z });
        }
    };

// Which contacts are shown: by pair of bodies, kind, depth and time.
import { checkbox, choice, element } from "./dom.js";
import { KINDS, KIND_NAMES, isContinuous } from "./data.js";
import { frameTime } from "./words.js";

export class Filters {
    constructor(report, bodyName, onchange) {
        this.onchange = onchange;
        this.kinds = new Set(KINDS.filter((kind) => report.summary.totals[kind] > 0));
        this.all = this.kinds.size;
        this.pair = "";
        this.from = 0;
        this.report = report;
        this.to = Math.max(0, ...report.summary.steps.map(({ frame }) => frame));
        this.end = this.to;
        this.depth = 0;
        this.scale = report.scale;
        this.makeForm(report, bodyName);
    }

    makeForm({ pairs }, bodyName) {
        const changed = (change) => (value) => {
            change(value);
            this.onchange();
        };
        this.pairChoice = choice(
            "bodies",
            [
                ["", "all pairs"],
                ...pairs
                    .slice(0, 200)
                    .map(({ a, b }) => [
                        `${a},${b}`,
                        a === b ? `${bodyName(a)}, itself` : `${bodyName(a)} – ${bodyName(b)}`,
                    ]),
            ],
            changed((value) => (this.pair = value)),
            "",
        );
        const numeric = (label, value, change) => {
            const input = element("input", {
                type: "number",
                min: 0,
                step: "any",
                value,
                "aria-label": label,
                onchange: () => changed(change)(Number(input.value)),
            });
            return element("label", { class: "field" }, element("span", {}, label), input);
        };
        this.form = element(
            "details",
            { class: "filters" },
            element("summary", {}, "Filter"),
            this.pairChoice,
            element(
                "div",
                { class: "kinds" },
                ...[...this.kinds].map((kind) =>
                    checkbox(
                        KIND_NAMES[kind],
                        true,
                        changed((on) => (on ? this.kinds.add(kind) : this.kinds.delete(kind))),
                    ),
                ),
            ),
            numeric("from frame", 0, (value) => (this.from = value)),
            numeric("to frame", this.to, (value) => (this.to = value)),
            this.kinds.has("vt") ? numeric("depth at least", 0, (value) => (this.depth = value)) : null,
        );
    }

    setPair(a, b) {
        this.pair = `${a},${b}`;
        this.pairChoice.querySelector("select").value = this.pair;
        this.form.open = true;
        this.onchange();
    }

    /** False if everything is shown. */
    get active() {
        return (
            this.pair !== "" ||
            this.kinds.size < this.all ||
            this.from > 0 ||
            this.to < this.end ||
            this.depth > 0
        );
    }

    allows(contacts, i, step) {
        if (!this.kinds.has(KINDS[contacts.kind[i]])) return false;
        const a = Math.min(contacts.bodyA[i], contacts.bodyB[i]),
            b = Math.max(contacts.bodyA[i], contacts.bodyB[i]);
        if (this.pair && this.pair !== `${a},${b}`) return false;
        const time = frameTime(this.report, step, isContinuous(contacts.kind[i]) ? contacts.toi[i] : 1);
        return time >= this.from && time <= this.to && contacts.depth[i] * this.scale >= this.depth;
    }

    /** Could the step have contacts in the range of time? */
    allowsStep(step) {
        return frameTime(this.report, step, 1) >= this.from && frameTime(this.report, step, 0) <= this.to;
    }
}

// Times and contacts by step, stacked. A click on a chart goes to the step.
import uPlot from "uplot";
import { color, element, onTheme } from "./dom.js";
import { KINDS, KIND_NAMES } from "./data.js";
import { number } from "./words.js";

const PHASES = [
    ["update", "update"],
    ["cull", "cull"],
    ["traverse", "traverse"],
    ["narrow", "tests"],
    ["inside", "inside"],
];

/** Phases of each step in milliseconds; "other" is what the phases leave of the total. */
function phaseRows(steps) {
    const rows = PHASES.map(([key, name], i) => ({
        name,
        color: `--phase-${i}`,
        values: steps.map((step) => step.ms[key] ?? 0),
    }));
    const rest = steps.map((step) =>
        Math.max(0, step.ms.total - PHASES.reduce((all, [key]) => all + (step.ms[key] ?? 0), 0)),
    );
    rows.push({ name: "other", color: "--phase-5", values: rest });
    return rows.filter((row, i) => i === 0 || row.values.some((value) => value > 0));
}

function kindRows(steps) {
    const rows = KINDS.map((kind, i) => ({
        name: KIND_NAMES[kind],
        color: `--kind-${i}`,
        values: steps.map((step) => step[kind] ?? 0),
    }));
    const used = rows.filter((row) => row.values.some((value) => value > 0));
    return used.length ? used : rows.slice(0, 1);
}

// Sums from the first row on: the last one is drawn first, as the outline of all.
function stack(rows) {
    const sums = [];
    rows.forEach((row, r) => sums.push(row.values.map((value, i) => value + (r ? sums[r - 1][i] : 0))));
    return sums;
}

class Chart {
    constructor(holder, title, rows, steps, format, onstep) {
        Object.assign(this, { holder, title, rows, steps, format, onstep, step: 0 });
        new ResizeObserver(() => this.plot?.setSize(this.size())).observe(holder);
    }

    size() {
        return { width: Math.max(200, this.holder.clientWidth), height: 190 };
    }

    make() {
        this.plot?.destroy();
        const paint = color("--soft"),
            grid = { stroke: color("--line"), width: 1 };
        const axis = { stroke: paint, grid, ticks: grid, font: "11px system-ui, sans-serif" };
        const series = [{ label: "step" }],
            data = [this.steps.map((_, i) => i)];
        const sums = stack(this.rows);
        for (let r = this.rows.length - 1; r >= 0; r--) {
            const row = this.rows[r];
            series.push({
                label: row.name,
                fill: color(row.color),
                stroke: color(row.color),
                width: 0,
                points: { show: false },
                paths: uPlot.paths.bars({ size: [0.9, 60], gap: 0 }),
                value: (_, __, ___, i) => (i === null || i === undefined ? "–" : this.format(row.values[i])),
            });
            data.push(sums[r]);
        }
        const options = {
            ...this.size(),
            series,
            legend: { live: true },
            cursor: { y: false, drag: { x: false, y: false } },
            scales: {
                x: { time: false, range: [-0.6, Math.max(0.6, this.steps.length - 0.4)] },
                y: { range: (_, __, most) => [0, most > 0 ? 1.1 * most : 1] },
            },
            axes: [
                { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000] },
                { ...axis, size: 62, values: (_, list) => list.map((value) => this.format(value)) },
            ],
            hooks: { draw: [(plot) => this.drawMarks(plot)] },
        };
        this.plot = new uPlot(options, data, this.holder);
        this.plot.over.addEventListener("click", () => {
            if (this.plot.cursor.idx !== null && this.plot.cursor.idx !== undefined)
                this.onstep(this.plot.cursor.idx);
        });
    }

    // Triangles at the top for edits and restarts, a line for the step of the player.
    drawMarks({ ctx, bbox, valToPos }) {
        const scale = devicePixelRatio;
        ctx.save();
        ctx.fillStyle = color("--edit");
        this.steps.forEach((step, i) => {
            if (!step.edits && !step.restart) return;
            const x = valToPos(i, "x", true);
            ctx.beginPath();
            ctx.moveTo(x - 4 * scale, bbox.top);
            ctx.lineTo(x + 4 * scale, bbox.top);
            ctx.lineTo(x, bbox.top + 7 * scale);
            ctx.fill();
        });
        ctx.strokeStyle = color("--text");
        ctx.lineWidth = scale;
        const x = valToPos(this.step, "x", true);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.restore();
    }

    setStep(step) {
        if (this.step === step) return;
        this.step = step;
        this.plot?.redraw(false);
    }
}

/** The section with both charts; setStep moves their lines. */
export function makeCharts(report, onstep) {
    const { steps } = report.summary;
    const time = element("div", { class: "chart" }),
        contacts = element("div", { class: "chart" });
    const edits = steps.some((step) => step.edits || step.restart);
    const note = edits
        ? [
              element(
                  "span",
                  { class: "note" },
                  element("span", { class: "edit" }, "▼"),
                  " steps with edits or a restart",
              ),
          ]
        : [];
    const section = element(
        "section",
        { class: "charts" },
        element("div", {}, element("h2", {}, "Milliseconds per step ", ...note), time),
        element("div", {}, element("h2", {}, "Contacts per step"), contacts),
    );
    const ms = (value) =>
        value >= 100 ? number(Math.round(value)) : value.toPrecision(3).replace(/\.?0+$/, "");
    const charts = [
        new Chart(time, "ms", phaseRows(steps), steps, ms, onstep),
        new Chart(
            contacts,
            "contacts",
            kindRows(steps),
            steps,
            (value) => (Number.isInteger(value) ? number(value) : String(value)),
            onstep,
        ),
    ];
    // A chart is measured when it is on the page.
    requestAnimationFrame(() => onTheme(() => charts.forEach((chart) => chart.make())));
    return { section, setStep: (step) => charts.forEach((chart) => chart.setStep(step)) };
}

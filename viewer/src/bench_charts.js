// Charts of benchmarks: bars as HTML, lines as SVG. Both are drawn from numbers that are on the page as text.
import { element } from "./dom.js";

const NAMES = { published: "published", "as-published": "as published", ours: "Fracas" };
export const seriesName = (series) => NAMES[series] ?? series;

/** A number with three digits, or with commas. */
export function short(value) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size >= 1000) return Math.round(value).toLocaleString("en-US");
    if (size < 0.001) return value.toExponential(1);
    return String(Number(value.toPrecision(3)));
}

// The three known series have colours of their own; others take them in turn.
const FIXED = ["published", "as-published", "ours"];
function colorOf(series, all) {
    if (FIXED.includes(series)) return `var(--${series})`;
    return `var(--series-${all.filter((name) => !FIXED.includes(name)).indexOf(series) % 8})`;
}

function legend(all) {
    return element(
        "p",
        { class: "legend" },
        ...all.map((series) =>
            element(
                "span",
                { class: "key" },
                element("span", { class: "swatch", style: `background:${colorOf(series, all)}` }),
                seriesName(series),
            ),
        ),
    );
}

function heading({ title, figure, paper, unit, note }) {
    const from = [paper, figure].filter(Boolean).join(": ");
    return [
        element("h2", {}, title, unit ? ` (${unit})` : ""),
        from ? element("p", { class: "note" }, from) : null,
        note ? element("p", { class: "note" }, note) : null,
    ];
}

// ---- bars

const ends = ({ value, low, high }) => [value, low, high].filter((x) => x !== undefined && x !== null);

/** The text of a bar: its number, or its range. */
function barText({ value, low, high, curve }) {
    const range = low === undefined || low === null ? "" : `${short(low)} to ${short(high)}`;
    const text = value === undefined || value === null ? range : short(value);
    return `${text}${range && text !== range ? ` (${range})` : ""}${curve ? ", read from a curve" : ""}`;
}

/** groups: {label, bars: {series, value, low, high, where, curve}}. Wide ranges get a logarithmic axis with dots. */
export function barChart(chart) {
    const bars = chart.groups.flatMap((group) => group.bars);
    const numbers = bars.flatMap(ends);
    const most = Math.max(0, ...numbers),
        least = Math.min(...numbers);
    const log = chart.log ?? (chart.unit !== "%" && least > 0 && most / least > 30);
    const negative = Math.min(0, least);
    const place = log
        ? (x) => (Math.log(x / (least / 1.5)) / Math.log((1.1 * most) / (least / 1.5))) * 100
        : (x) => ((x - negative) / (most - negative || 1)) * 100;
    const all = [...new Set(bars.map((bar) => bar.series))];
    // Groups of one bar each are named by their labels.
    const plain = all.length === 1 && chart.groups.every((group) => group.bars.length === 1);
    const row = (bar, label) => {
        const track = element("span", { class: log ? "track dots" : "track" });
        const color = `background:${colorOf(bar.series, all)}`;
        const { value, low, high } = bar;
        if (value) {
            const [from, to] = log ? [0, place(value)] : [place(Math.min(0, value)), place(Math.max(0, value))];
            track.append(
                element("span", {
                    class: log ? "dot" : "bar",
                    style: log ? `left:${to}%;${color}` : `left:${from}%;width:${to - from}%;${color}`,
                }),
            );
        }
        if (low !== undefined && low !== null) {
            const span = `left:${place(low)}%;width:${place(high) - place(low)}%`;
            const alone = value === undefined || value === null;
            track.append(
                element("span", { class: alone ? "bar" : "range", style: alone ? `${span};${color}` : span }),
            );
        }
        return element(
            "div",
            { class: "row", "data-series": bar.series, title: bar.where ? `From ${bar.where}` : null },
            element("span", { class: "name" }, plain ? label : seriesName(bar.series)),
            track,
            element("span", { class: "value" }, barText(bar)),
        );
    };
    const width = Math.max(...bars.map((bar) => barText(bar).length));
    return element(
        "section",
        {
            class: plain ? "figure plain" : "figure",
            "data-figure": chart.id,
            style: `--value:${Math.min(20, width)}ch`,
        },
        ...heading(chart),
        plain ? null : legend(all),
        ...chart.groups.map((group) =>
            element(
                "div",
                { class: "group" },
                plain ? null : element("h3", {}, group.label),
                ...group.bars.map((bar) => row(bar, group.label)),
            ),
        ),
        log ? element("p", { class: "note" }, "Logarithmic axis.") : null,
    );
}

// ---- lines

const SVG = "http://www.w3.org/2000/svg";
function svg(tag, attributes = {}, text) {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
}

function linearTicks(from, to, count) {
    const raw = (to - from) / count || 1,
        power = 10 ** Math.floor(Math.log10(raw));
    const step = power * ([1, 2, 5].find((n) => n * power >= raw) ?? 10);
    const ticks = [];
    for (let x = Math.ceil(from / step) * step; x <= to + 1e-9 * step; x += step) ticks.push(x);
    return ticks;
}

function logTicks(from, to, count) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power++)
        for (const digit of [1, 2, 5]) ticks.push(digit * 10 ** power);
    const inside = ticks.filter((x) => x >= from * 0.999 && x <= to * 1.001);
    const tens = inside.filter((x) => Number.isInteger(Math.round(Math.log10(x) * 1e9) / 1e9));
    if (inside.length <= count) return inside;
    return tens.length > 1 ? tens : inside.filter((_, i) => i % 2 === 0);
}

// A scale from numbers to pixels.
function scale(values, { log, ticks }, [from, to], count) {
    let least = Math.min(...values),
        most = Math.max(...values);
    if (!log) {
        least = Math.min(0, least);
        most += 0.06 * (most - least || 1);
    } else {
        [least, most] = [least / 1.15, most * 1.15];
    }
    const part = log
        ? (x) => Math.log(x / least) / Math.log(most / least)
        : (x) => (x - least) / (most - least);
    const at = (x) => from + (to - from) * part(x);
    return { at, ticks: ticks ?? (log ? logTicks : linearTicks)(least, most, count) };
}

const MARKS = ["circle", "square", "diamond"];
function mark(kind, x, y, color) {
    const size = 4;
    const shape =
        kind === "circle"
            ? svg("circle", { cx: x, cy: y, r: size })
            : svg("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size });
    if (kind === "diamond") shape.setAttribute("transform", `rotate(45 ${x} ${y})`);
    shape.setAttribute("fill", color);
    shape.setAttribute("class", "point");
    return shape;
}

function drawLines(chart, width) {
    const height = 280,
        left = 58,
        right = 30,
        bottom = 44,
        top = 10;
    const points = chart.lines.flatMap((line) => line.points);
    const many = Math.max(3, Math.floor(width / 80));
    const x = scale(points.map((p) => p[0]), chart.x, [left, width - right], many);
    const y = scale(points.map((p) => p[1]), chart.y, [height - bottom, top], 6);
    const out = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
    out.append(svg("title", {}, chart.title));
    for (const tick of y.ticks) {
        out.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y.at(tick), y2: y.at(tick) }));
        out.append(
            svg("text", { class: "tick", x: left - 6, y: y.at(tick) + 4, "text-anchor": "end" }, short(tick)),
        );
    }
    for (const tick of x.ticks) {
        out.append(svg("line", { class: "grid", x1: x.at(tick), x2: x.at(tick), y1: top, y2: height - bottom }));
        const label = { class: "tick", x: x.at(tick), y: height - bottom + 16, "text-anchor": "middle" };
        out.append(svg("text", label, short(tick)));
    }
    const middle = { class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" };
    out.append(svg("text", middle, chart.x.label));
    const all = chart.lines.map((line) => line.series);
    chart.lines.forEach((line, l) => {
        const color = colorOf(line.series, all);
        const places = line.points.map(([px, py]) => [x.at(px), y.at(py)]);
        const d = places.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
        out.append(svg("path", { d, stroke: color, class: line.dashed ? "line dashed" : "line" }));
        places.forEach(([px, py], i) => {
            const shape = mark(MARKS[l % MARKS.length], px, py, color);
            shape.dataset.series = line.series;
            shape.append(svg("title", {}, `${line.series}: ${short(line.points[i][0])}, ${short(line.points[i][1])}`));
            out.append(shape);
        });
    });
    return out;
}

/** lines: {series, points: [x, y], dashed}; x and y: {label, log}. Redrawn when its width changes. */
export function lineChart(chart) {
    const holder = element("div", { class: "lines" });
    new ResizeObserver(() => {
        const width = Math.max(260, holder.clientWidth);
        if (holder.dataset.width === String(width)) return;
        holder.dataset.width = width;
        holder.replaceChildren(drawLines(chart, width));
    }).observe(holder);
    const all = chart.lines.map((line) => line.series);
    return element(
        "section",
        { class: "figure", "data-figure": chart.id },
        ...heading({ ...chart, unit: chart.y.label }),
        legend(all),
        holder,
    );
}

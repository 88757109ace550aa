// The page of `fracas bench NAME --report`: the answer, the machine, charts, and all numbers.
import { barChart, lineChart, short } from "./bench_charts.js";
import { ownCharts } from "./bench_own.js";
import { publishedCharts, publishedMachines } from "./bench_published.js";
import { readText } from "./bench_text.js";
import { benchAnswer } from "./bench_words.js";
import { element } from "./dom.js";
import { count } from "./words.js";

function parse(text) {
    if (!text.trim()) throw new Error("the page has no data");
    const report = JSON.parse(text);
    if (report.format !== 1) throw new Error(`its data has format ${report.format}, which this page does not know`);
    return report;
}

// ---- tables of all numbers

const isRow = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Rows of a list of objects with what is inside of them as columns; lists inside of rows become rows.
function flatten(row, prefix = "") {
    let rows = [{}];
    const columns = {};
    for (const [key, value] of Object.entries(row)) {
        const name = prefix + key;
        if (Array.isArray(value) && value.length && value.every(isRow))
            rows = value.flatMap((inner) => flatten(inner, rows.length > 1 ? `${key}: ` : ""));
        else if (isRow(value)) Object.assign(columns, flatten(value, `${name}: `)[0]);
        else columns[name] = Array.isArray(value) ? value.join(", ") : value;
    }
    return rows.map((one) => ({ ...columns, ...one }));
}

const cell = (value) => {
    if (value === undefined || value === null) return "";
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "number" ? short(value) : value;
};

function makeTable(title, rows) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const isText = (column) => rows.some((row) => typeof row[column] === "string");
    const of = (tag, column, text) => element(tag, { class: isText(column) ? "text" : null }, text);
    return element(
        "details",
        { class: "numbers" },
        element("summary", {}, `${title} (${count(rows.length, "row")})`),
        element(
            "table",
            {},
            element("thead", {}, element("tr", {}, ...columns.map((column) => of("th", column, column)))),
            element(
                "tbody",
                {},
                ...rows.map((row) =>
                    element("tr", {}, ...columns.map((column) => of("td", column, cell(row[column])))),
                ),
            ),
        ),
    );
}

function makeTables(result) {
    const whole = Object.entries(result).filter(([, value]) => typeof value !== "object" || value === null);
    const tables = whole.length ? [makeTable("whole run", [Object.fromEntries(whole)])] : [];
    const parts = Object.entries(result).flatMap(([key, value]) => {
        const list = isRow(value) ? [value] : value;
        if (isRow(value) && !Object.keys(value).length) return [];
        if (!Array.isArray(list) || !list.length || !list.every(isRow)) return [];
        return [makeTable(key, list.flatMap((row) => flatten(row)))];
    });
    return [...parts, ...tables];
}

// ---- the head

function makeMachine({ machine, date, seconds }) {
    const parts = [
        machine.processor,
        `${machine.cores} core${machine.cores === 1 ? "" : "s"}`,
        `${machine.system} ${machine.release}, ${machine.architecture}`,
        `compiler ${machine.compiler}`,
    ];
    if (machine.load_before !== undefined) parts.push(`load before the run ${machine.load_before}`);
    return `${parts.join("; ")}. ${date.replace("T", " ").replace("Z", " UTC")}, ${short(seconds)} s.`;
}

const quote = (word) => (/^[\w./=,:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function makeHead(report, result, charts) {
    const { benchmark, status, fracas } = report;
    const published = charts.some((chart) => chart.paper);
    return element(
        "header",
        { class: "bench-head" },
        element("h1", {}, benchAnswer(report, result)),
        status
            ? element(
                  "p",
                  { class: "warning", role: "alert" },
                  `The benchmark ended with exit status ${status}: a result was wrong, or data is missing.`,
              )
            : null,
        element("p", {}, element("code", {}, ["fracas bench", benchmark, ...report.arguments.map(quote)].join(" "))),
        element("p", { class: "note" }, `Fracas ${fracas}, on: ${makeMachine(report)}`),
        published
            ? element(
                  "p",
                  { class: "note" },
                  `The papers' machines: ${publishedMachines(benchmark).join(" ")} `,
                  "Published numbers are those that the papers state in words, tables and captions; none is read from a curve. ",
                  "“As published” is the method of the paper, built into Fracas and measured on this machine. ",
                  "Scenes and sizes differ: compare ratios.",
              )
            : null,
    );
}

function makeFoot(text, benchmark) {
    const save = () => {
        const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        element("a", { href: url, download: `fracas-bench-${benchmark}.json` }).click();
        setTimeout(() => URL.revokeObjectURL(url), 1000);
    };
    return element(
        "footer",
        {},
        element("button", { type: "button", class: "save", onclick: save }, "Save the data as JSON"),
    );
}

function start() {
    const root = document.getElementById("page");
    try {
        const text = document.getElementById("report")?.textContent ?? "";
        const report = parse(text);
        const result = report.result ?? readText(report.benchmark, report.text);
        const charts = [...publishedCharts(report.benchmark, result), ...ownCharts(report.benchmark, result)];
        document.title = `Fracas benchmark: ${report.benchmark}`;
        root.replaceChildren(
            makeHead(report, result, charts),
            element("div", { class: "figures" }, ...charts.map((chart) => (chart.type === "bars" ? barChart : lineChart)(chart))),
            ...makeTables(result),
            ...(report.text ? [element("pre", { class: "output" }, report.text)] : []),
            makeFoot(text, report.benchmark),
        );
        window.fracasBench = { report, result, charts }; // for tests
    } catch (error) {
        if (!(error instanceof SyntaxError)) console.error(error);
        const why = error instanceof SyntaxError ? "its data is cut off or damaged" : error.message;
        root.replaceChildren(
            element("h1", {}, "This page cannot be shown"),
            element("p", { class: "warning", role: "alert" }, `The page failed: ${why}. Write it again with --report.`),
        );
    }
}

start();

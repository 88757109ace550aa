// Figures of papers: the numbers of published.json beside those of a run.
import data from "./published.json";

const find = (list, wanted) =>
    (list ?? []).find((item) => Object.entries(wanted).every(([key, value]) => item[key] === value));

// ---- FASTCD

function methodsOf({ scenes }, { scene, mode }) {
    return find(scenes, { scene, mode })?.methods;
}

// The number of one method, or the ratio of two; undefined: the run does not have them.
function ofMethods(methods, names, of) {
    const values = (names ?? []).map((method) => find(methods, { method })?.[of]);
    if (!values.length || values.some((value) => !(value > 0))) return undefined;
    return values.length === 2 ? values[0] / values[1] : values[0];
}

const shareOf = (methods, names, of) => {
    const shares = find(methods, { method: names?.[0] })?.shares;
    return shares && 100 * of.reduce((sum, key) => sum + (shares[key] ?? 0), 0);
};

const percentCulled = (methods, names) => {
    const culled = find(methods, { method: names?.[0] })?.culled;
    return culled && 100 * culled.box_tests;
};

/** How many triangles the scene of an entry has in this run. */
function triangles({ scenes }, entry) {
    const count = find(scenes, { scene: entry.scene, mode: entry.mode })?.triangles;
    if (!count) return "";
    const [first, last] = count.map((n) => n.toLocaleString("en-US"));
    return ` (${first === last ? first : `${first} to ${last}`} triangles here)`;
}

// ---- PCCD

const lane = (result, scene, scheduler, threads) =>
    find(find(result.scenes, { scene })?.lanes, { scheduler, threads });
const mostThreads = (result, scene) =>
    Math.max(0, ...(find(result.scenes, { scene })?.lanes ?? []).map((one) => one.threads));
const widest = (result, scene, scheduler) => lane(result, scene, scheduler, mostThreads(result, scene));

function pccdShares(result, entry) {
    // The scene that has the method of the paper.
    const scene = result.scenes?.find((one) => widest(result, one.scene, "pccd"))?.scene;
    const one = scene && widest(result, scene, "pccd");
    if (!one) return undefined;
    const parts = one.refit_ms + one.low_ms + one.high_ms;
    return (100 * (entry.of === "rest" ? Math.max(0, one.ms - parts) : one[entry.of])) / one.ms;
}

// ---- what each kind of figure takes from a run: [as published, ours], numbers or {value, low, high}

const readers = {
    method: (result, entry) =>
        ["as_published", "ours"].map((side) => ofMethods(methodsOf(result, entry), entry[side], entry.of)),
    share: (result, entry) =>
        ["as_published", "ours"].map((side) => shareOf(methodsOf(result, entry), entry[side], entry.of)),
    culled: (result, entry) =>
        ["as_published", "ours"].map((side) => percentCulled(methodsOf(result, entry), entry[side])),
    overhead: (result, { mode, as_published, ours }) => {
        const methods = find(result.overhead, { mode })?.methods;
        return [as_published, ours].map((names) => find(methods, { method: names[0] })?.ratio);
    },
    // Binary trees with one triangle per leaf are the paper's.
    tc: (result, { of }) => {
        const value = result.mean?.[of]?.tc;
        return result.leaf_size === 1 ? [value, undefined] : [undefined, value];
    },
    "pccd-ms": (result, { scene }) => ["pccd", "steal"].map((name) => widest(result, scene, name)?.ms),
    "pccd-rate": (result, { scene }) =>
        ["pccd", "steal"].map((name) => {
            const ms = widest(result, scene, name)?.ms;
            return ms && 1000 / ms;
        }),
    "pccd-share": (result, entry) => [pccdShares(result, entry), undefined],
    setups: ({ setups }, { setup }) => {
        const ways = (setups ?? []).filter((run) => run.setup === setup).flatMap((run) => run.ways);
        return ["as published", "sorted"].map((way) => {
            const one = find(ways, { way, threads: 1 });
            return one && { value: one.mean, low: one.min, high: one.max };
        });
    },
    medial: ({ scenes }, { scene, method }) => {
        const methods = find(scenes, { scene })?.methods;
        // The published broad phase belongs to medial primitives.
        return [method === "medial" ? find(methods, { method: "cones" })?.ms : undefined, find(methods, { method })?.ms];
    },
    "medial-pairs": ({ scenes }, { scene }) => [undefined, find(scenes, { scene })?.primitive_pairs],
    "fragment-resolution": ({ resolution }, { part, column }) => [undefined, resolution?.[part]?.[column]],
};

const bar = (series, number, more = {}) => {
    if (number === undefined || number === null) return [];
    return [{ series, ...more, ...(typeof number === "object" ? number : { value: number }) }];
};

/** A chart of bars; empty groups are left out: what this run did not measure has nothing to be compared with. */
function barsOf(figure, result) {
    const groups = [];
    for (const entry of figure.entries) {
        const [asPublished, ours] = readers[figure.kind](result, entry);
        const measured = [...bar("as-published", asPublished), ...bar("ours", ours)];
        if (!measured.length) continue;
        const { value, low, high, where, curve } = entry;
        groups.push({
            label: entry.label + (figure.id === "fastcd-times" ? triangles(result, entry) : ""),
            bars: [...bar("published", { value, low, high }, { where, curve }), ...measured],
        });
    }
    return groups.length ? [{ type: "bars", groups }] : [];
}

// ---- lines

const speedups = (figure, result) =>
    (result.scenes ?? []).flatMap((scene) => {
        const entry = figure.entries.find((one) => one.scene === scene.scene);
        const names = [...new Set(scene.lanes.map((one) => one.scheduler))];
        const lines = names.map((series) => ({
            series,
            points: scene.lanes
                .filter((one) => one.scheduler === series)
                .map((one) => [one.threads, one.speedup]),
        }));
        if (entry)
            lines.unshift({ series: "published", dashed: true, points: [[1, 1], [entry.threads, entry.value]] });
        const ticks = [...new Set(lines.flatMap((line) => line.points.map(([threads]) => threads)))];
        return [
            {
                type: "lines",
                id: `${figure.id}-${scene.scene}`,
                title: `${figure.title}: ${scene.scene}`,
                x: { label: entry ? "threads; published: cores" : "threads", log: true, ticks },
                y: { label: "speed-up" },
                lines,
            },
        ];
    });

// Lines over the number in the name of each way; "sorted, 0.25 edges" belongs to the line "sorted".
function sweep(figure, runs, pattern, x, names) {
    return (runs ?? []).map(({ setup, tets, ways }) => {
        const lines = new Map();
        for (const { way, mean } of ways) {
            const match = pattern.exec(way);
            if (!match) continue;
            const series = names[match[1]] ?? match[1];
            if (!lines.has(series)) lines.set(series, { series, points: [] });
            lines.get(series).points.push([Number(match[2]), mean]);
        }
        return {
            type: "lines",
            id: `${figure.id}-${setup}`,
            title: `${figure.title}: ${setup}, ${tets.toLocaleString("en-US")} tetrahedra`,
            x,
            y: { label: "ms", log: true },
            lines: [...lines.values()],
        };
    });
}

const curves = {
    "pccd-speedup": speedups,
    tables: (figure, { tables }) =>
        sweep(figure, tables, /^(table) of (\d+)$/, { label: "entries of the table", log: true }, { table: "as-published" }),
    cells: (figure, { cells }) =>
        sweep(figure, cells, /^(\w+), ([\d.]+) edges$/, { label: "size of a cell / mean edge", log: true }, {
            teschner: "as-published",
            sorted: "ours",
        }),
    // Every scene has units of its own: a chart for each.
    "fragment-scenes": (figure, { scenes }) =>
        Object.entries(scenes ?? {}).map(([scene, rows]) => ({
            type: "bars",
            id: `${figure.id}-${scene}`,
            title: `${figure.title}: ${scene}`,
            log: true,
            groups: rows.map(({ label, here, published }) => ({
                label,
                bars: [...bar("published", published, { where: "tables 2 and 3" }), ...bar("ours", here)],
            })),
        })),
    "fragment-bowl": (figure, { bowl }) =>
        bowl?.length
            ? [
                  {
                      type: "lines",
                      x: { label: "contacts allowed" },
                      y: { label: figure.unit },
                      lines: [
                          { series: "mean of a drop", points: bowl.map((row) => [row.contacts, row.mean]) },
                          { series: "at rest", points: bowl.map((row) => [row.contacts, row.rest]) },
                      ],
                  },
              ]
            : [],
};

/** The charts of all figures of papers that a benchmark repeats. */
export function publishedCharts(benchmark, result) {
    return data.figures
        .filter((figure) => figure.benchmark === benchmark)
        .flatMap((figure) => {
            const { id, title, unit, note, figure: place } = figure;
            const common = { id, title, unit, note, figure: place, paper: data.papers[figure.paper].name };
            const made = (curves[figure.kind] ?? barsOf)(figure, result);
            return made.map((chart) => ({ ...common, ...chart }));
        });
}

/** The machines of the papers that a benchmark repeats, as sentences. */
export function publishedMachines(benchmark) {
    const keys = new Set(data.figures.filter((one) => one.benchmark === benchmark).map((one) => one.paper));
    return [...keys].map((key) => `${data.papers[key].name}: ${data.papers[key].machine}.`);
}

// Charts of a benchmark's own numbers, where no paper has a figure of them.

const bars = (id, title, unit, groups, more = {}) => ({ type: "bars", id, title, unit, groups, ...more });
const linesOf = (id, title, x, y, lines, more = {}) => ({ type: "lines", id, title, x, y, lines, ...more });
const label = (n) => n.toLocaleString("en-US");

/** One bar in each group. */
const single = (rows, name, value, series) =>
    rows.map((row) => ({ label: name(row), bars: [{ series, value: value(row) }] }));

// Points of the rows, as one line for each value of `key`.
function lines(rows, key, point) {
    const all = new Map();
    for (const row of rows) {
        const series = key(row);
        if (!all.has(series)) all.set(series, []);
        all.get(series).push(point(row));
    }
    return [...all].map(([series, points]) => ({ series, points }));
}

const PEERS = { embree: "Embree", bullet: "Bullet", cgal: "CGAL", fcl: "FCL" };

function peers({ cases = [] }) {
    return [
        bars(
            "peers-ms",
            "Time of a frame: move, update and find all pairs",
            "ms",
            cases.map((one) => ({
                label: one.case,
                bars: [
                    { series: "ours", value: one.ours_ms },
                    ...Object.entries(one.peers).map(([name, value]) => ({ series: PEERS[name] ?? name, value })),
                ],
            })),
        ),
        bars(
            "peers-ratio",
            "Fastest peer / Fracas, and the goal",
            "times",
            cases
                .filter((one) => one.ratio_to_best !== null)
                .map((one) => ({
                    label: one.case,
                    bars: [
                        { series: "ours", value: one.ratio_to_best },
                        { series: "goal", value: one.wanted_ratio },
                    ],
                })),
            { log: false },
        ),
    ];
}

function edits(result) {
    const charts = [];
    if (result.rebuild)
        charts.push(
            bars(
                "edits-rebuild",
                "Building the trees of a body",
                "ms",
                result.rebuild.map((row) => ({
                    label: `${row.modes}, ${row.builder}, ${label(row.triangles)} triangles`,
                    bars: [
                        { series: "first", value: row.first_ms },
                        { series: "rebuild", value: row.rebuild_ms },
                        { series: "refit", value: row.refit_ms },
                    ],
                })),
            ),
        );
    for (const part of ["tearing", "pulling-apart"])
        if (result[part])
            charts.push(
                bars(
                    `edits-${part}`,
                    `${part}: ${result[part].splits_per_frame} splits in a frame of ${label(result[part].triangles)} triangles`,
                    "ms",
                    result[part].modes.map((row) => ({
                        label: `culling: ${row.cull}`,
                        bars: ["torn", "quiet", "whole", "rebuild"].map((name) => ({ series: name, value: row[`${name}_ms`] })),
                    })),
                ),
            );
    for (const within of ["body", "scene"]) {
        const rows = (result.splits ?? []).filter((row) => row.within === within);
        if (rows.length)
            charts.push(
                linesOf(
                    `edits-splits-${within}`,
                    within === "body" ? "A part breaks off one body" : "A part breaks off one of many bodies",
                    { label: "triangles of the scene", log: true },
                    { label: "ms of split and update", log: true },
                    lines(rows, (row) => `${label(row.listed)} triangles`, (row) => [row.triangles, row.split_ms + row.update_ms]),
                ),
            );
    }
    return charts;
}

function cull({ mesh, triangles, modes = [] }) {
    return [
        bars(
            "cull-ms",
            `Time of a frame by mode of culling: ${mesh}, ${label(triangles)} triangles`,
            "ms",
            modes.map((row) => ({
                label: row.cull,
                bars: [
                    { series: "culling", value: row.ms.cull },
                    { series: "update", value: row.ms.update },
                    { series: "query", value: row.ms.detect },
                ],
            })),
            { log: false },
        ),
        bars("cull-candidates", "Candidates of the pair tests", "", single(modes, (row) => row.cull, (row) => row.candidates, "ours")),
    ];
}

function misses({ rows, shapes, nodes, certified_end: end, certified_step: step, misses: wrong }) {
    if (!rows)
        return [
            bars("misses-certified", `Nodes of ${label(shapes)} shapes: certificates, and wrong ones`, "", [
                { label: "nodes", bars: [{ series: "ours", value: nodes }] },
                { label: "certified at rest", bars: [{ series: "ours", value: end }] },
                { label: "certified over a step", bars: [{ series: "ours", value: step }] },
                { label: "wrong", bars: [{ series: "ours", value: wrong }] },
            ], { log: false }),
        ];
    const modes = [...new Set(rows.map((row) => row.mode))];
    return [
        bars(
            "misses-share",
            "Contacts that a mode of culling misses",
            "%",
            modes.map((mode) => ({
                label: mode,
                bars: rows
                    .filter((row) => row.mode === mode)
                    .map((row) => ({ series: row.kind, value: row.contacts ? (100 * row.missed) / row.contacts : 0 })),
            })),
            { log: false },
        ),
    ];
}

const queries = ({ sets = [] }) => [
    bars(
        "queries-us",
        "Time of a published query",
        "µs",
        sets.map((row) => ({
            label: `${row.set}, ${row.kind}: ${label(row.queries)} queries`,
            bars: [
                { series: "all", value: row.us_per_query },
                ...(row.positives ? [{ series: "hits", value: row.us_per_hit }] : []),
            ],
        })),
        { note: "Logarithmic, because hits cost more than misses by design.", log: true },
    ),
];

const restructure = ({ cases = [] }) => [
    bars(
        "restructure-ms",
        "Time of all frames by policy",
        "ms",
        cases.map((one) => ({
            label: `${one.motion}, ${one.mode}`,
            bars: Object.entries(one.policies).map(([series, { ms }]) => ({ series, value: ms })),
        })),
        { log: false },
    ),
    bars(
        "restructure-tests",
        "Box tests of all frames by policy",
        "",
        cases.map((one) => ({
            label: `${one.motion}, ${one.mode}`,
            bars: Object.entries(one.policies).map(([series, { box_tests: value }]) => ({ series, value })),
        })),
    ),
];

const hashes = ({ scenes = [] }) => [
    bars(
        "hashes-contacts",
        "Contacts whose hash is compared",
        "",
        [...new Set(scenes.map((one) => one.scene))].map((scene) => ({
            label: scene,
            bars: scenes
                .filter((one) => one.scene === scene)
                .map((one) => ({ series: `${one.threads} threads`, value: one.contacts })),
        })),
        { log: true },
    ),
];

const tc = ({ models = [], mean }) =>
    ["self", "inter"].map((of) =>
        bars(
            `tc-${of}`,
            of === "self" ? "Correlation, a model with itself" : "Correlation, a model with another",
            "",
            [...models, mean].filter(Boolean).map((one) => ({
                label: one.model,
                bars: [
                    { series: "tc of the paper", value: one[of].tc },
                    { series: "by overlap", value: one[of].tc_overlap },
                    { series: "lm", value: one[of].lm },
                ],
            })),
            { log: false },
        ),
    );

const teschner = ({ variants = [], scaling = [] }) => {
    const charts = variants.map((run) =>
        bars(
            `teschner-variants-${run.setup}`,
            `Variants of the method: ${run.setup}, ${label(run.tets)} tetrahedra`,
            "ms",
            single(run.ways, (way) => way.way, (way) => way.mean, "ours"),
        ),
    );
    if (scaling.length)
        charts.push(
            linesOf(
                "teschner-scaling",
                "Time by the number of tetrahedra",
                { label: "tetrahedra", log: true },
                { label: "ns per tetrahedron" },
                lines(
                    scaling.flatMap((run) => run.ways.map((way) => ({ ...way, tets: run.tets }))),
                    (way) => way.way,
                    (way) => [way.tets, (1e6 * way.mean) / way.tets],
                ),
            ),
        );
    return charts;
};

const ccd = ({ rows = [] }) => [
    bars("ccd-ns", "The test in time: a candidate that is rejected", "ns", single(rows, (r) => `${r.scene}, ${r.kind}`, (r) => r.ns_rejected, "ours")),
    bars("ccd-us", "The test in time: a hit", "µs", single(rows, (r) => `${r.scene}, ${r.kind}`, (r) => r.us_hit, "ours")),
];

const separation = ({ rows = [] }) => [
    linesOf(
        "separation-ns",
        "The test of minimum separation",
        { label: "distance", log: true },
        { label: "ns", log: true },
        ["miss", "hit", "end"].flatMap((what) =>
            lines(rows, (row) => `${row.kind}, ${what}`, (row) => [row.distance, row[`ns_${what}`]]),
        ),
    ),
];

const tri = ({ rows = [] }) => [
    bars("tri-ns", "The test of two triangles", "ns", single(rows, (row) => `${row.share}: ${label(row.pairs)} pairs`, (row) => row.ns_per_pair, "ours"), { log: false }),
];

// Methods of FASTCD side by side.
const fastcd = ({ scenes = [] }) =>
    scenes.map((scene) =>
        bars(
            `fastcd-${scene.scene}-${scene.mode}`,
            `All methods: ${scene.scene}, ${scene.mode}`,
            "ms per frame",
            scene.methods.map((row) => ({ label: row.method, bars: [{ series: "mean", value: row.mean_ms }] })),
        ),
    );

const pccd = ({ scenes = [] }) =>
    scenes.map((scene) =>
        linesOf(
            `pccd-ms-${scene.scene}`,
            `Time of a frame: ${scene.scene}, ${label(scene.triangles)} triangles`,
            { label: "threads", log: true, ticks: [...new Set(scene.lanes.map((lane) => lane.threads))] },
            { label: "ms" },
            lines(scene.lanes, (lane) => lane.scheduler, (lane) => [lane.threads, lane.ms]),
        ),
    );

const medial = ({ scenes = [] }) => [
    bars(
        "medial-contacts",
        "Mean contacts of a step",
        "",
        scenes.map((scene) => ({
            label: `${scene.scene}, ${label(scene.bodies)} bodies`,
            bars: scene.methods.map((row) => ({ series: row.method, value: row.contacts })),
        })),
    ),
];

const fragment = ({ spread }) =>
    spread?.length
        ? [
              linesOf(
                  "fragment-spread",
                  "Broken blocks: farthest point from the first contacts",
                  { label: "contacts", log: true },
                  { label: "% of the radius" },
                  spread.map((row) => ({ series: row.label, points: row.values.map((value, i) => [[4, 6, 8, 12, 16, 32][i], value]) })),
              ),
          ]
        : [];

const makers = { ccd, cull, edits, fastcd, fragment, hashes, medial, misses, pccd, peers, queries, restructure, separation, tc, teschner, tri };

/** Charts without those that have nothing to show. */
export const ownCharts = (benchmark, result) =>
    (makers[benchmark]?.(result) ?? []).filter((chart) => (chart.groups ?? chart.lines).length);

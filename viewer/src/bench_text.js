// Numbers of the benchmarks that print text only.

const lines = (text) => text.split("\n");
const numbers = (text) => text.trim().split(/\s+/).map(Number);

/** Parts of `fragment`: its resolution, bowl, spread, and scenes. */
function fragment(text) {
    const result = { resolution: {}, bowl: [], spread: [], scenes: {} };
    let part = "",
        scene = "";
    for (const line of lines(text)) {
        const begins = /^(field|update|resolution|spread|bowl|rolling|steps|scenes):/.exec(line);
        if (begins) part = begins[1];
        const section = /^ {2}([\w -]+): \d+ surface triangles/.exec(line);
        if (part === "resolution" && section) scene = section[1];
        if (part === "resolution" && /^ {2}here /.test(line)) result.resolution[scene] = numbers(line.slice(6));
        if (part === "bowl" && /^ {2}\d+ /.test(line)) {
            const [contacts, mean, , rest] = numbers(line);
            result.bowl.push({ contacts, mean, rest });
        }
        if (part === "spread" && !line.includes("contacts:") && /^ {2}\S.* {2,}\d+ +\d+ +\d+ +\d+ +\d+ +\d+$/.test(line)) {
            const [, label, rest] = /^ {2}(\S.*?) {2,}(.*)$/.exec(line);
            result.spread.push({ label, values: numbers(rest) });
        }
        if (part !== "scenes") continue;
        const name = /^ {2}([\w-]+)$/.exec(line);
        if (name) result.scenes[(scene = name[1])] = [];
        const row = /^ {4}(\S.*?) {2,}([\d.]+) +([\d.]+) +([\d.]+)$/.exec(line);
        if (row && result.scenes[scene])
            result.scenes[scene].push({ label: row[1], here: Number(row[2]), published: Number(row[3]) });
    }
    return result;
}

const rowsOf = (text, pattern, make) =>
    lines(text).flatMap((line) => {
        const match = pattern.exec(line);
        return match ? [make(match)] : [];
    });

const ccd = (text) => ({
    rows: rowsOf(
        text,
        /^(\S+) +(VF|EE) +(\d+) candidates +(\d+) hits \((\w+)\) +([\d.]+) ns\/rejected +([\d.]+) us\/hit/,
        ([, scene, kind, candidates, hits, right, rejected, hit]) => ({
            scene,
            kind,
            candidates: Number(candidates),
            hits: Number(hits),
            right: right === "right",
            ns_rejected: Number(rejected),
            us_hit: Number(hit),
        }),
    ),
});

const separation = (text) => ({
    rows: rowsOf(
        text,
        /^(vf|ee) +(\S+) +(\d+) +(\d+) +\w{16} +([\d.]+) +([\d.]+) .* ([\d.]+)$/,
        ([, kind, distance, candidates, hits, miss, hit, end]) => ({
            kind,
            distance: Number(distance),
            candidates: Number(candidates),
            hits: Number(hits),
            ns_miss: Number(miss),
            ns_hit: Number(hit),
            ns_end: Number(end),
        }),
    ),
});

const tri = (text) => ({
    rows: rowsOf(
        text,
        /^(\S.*?) +pairs +(\d+) +hits +(\d+) +hash \w+ +exact +(\d+) +([\d.]+) ns\/pair/,
        ([, share, pairs, hits, exact, ns]) => ({
            share,
            pairs: Number(pairs),
            hits: Number(hits),
            exact: Number(exact),
            ns_per_pair: Number(ns),
        }),
    ),
});

const readers = { fragment, ccd, separation, tri };

/** What a benchmark printed, as an object like those of --json; {} if it is unknown. */
export const readText = (benchmark, text) => readers[benchmark]?.(text ?? "") ?? {};

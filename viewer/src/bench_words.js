// What a benchmark found, in a sentence.
import { short } from "./bench_charts.js";
import { count, number } from "./words.js";

const list = (values) => values.filter((x) => Number.isFinite(x));
const most = (values) => Math.max(...list(values));
const range = (values) => {
    const [from, to] = [short(Math.min(...list(values))), short(most(values))];
    return from === to ? from : `${from} to ${to}`;
};
const allTrue = (values) => values.every(Boolean);

// Times of method a / method b in all scenes.
const methodRatios = ({ scenes = [] }, a, b) =>
    scenes.flatMap(({ methods }) => {
        const [one, other] = [a, b].map((name) => methods.find((m) => m.method === name)?.mean_ms);
        return one > 0 && other > 0 ? [one / other] : [];
    });

function fastcd(result) {
    if (result.overhead) {
        const ratios = result.overhead.flatMap((one) => one.methods.map((m) => m.ratio));
        return `A dragon that breaks takes ${range(ratios)} times as long as one that was cut before.`;
    }
    const scenes = count(result.scenes.length, "scene");
    const ratios = methodRatios(result, "published", "fracas");
    if (!ratios.length) return `Times of ${scenes} under ${count(result.scenes[0].methods.length, "method")}.`;
    return `FASTCD as published takes ${range(ratios)} times as long as Fracas, in ${scenes}.`;
}

function pccd({ scenes }) {
    const parts = scenes.map((scene) => {
        const threads = most(scene.lanes.map((lane) => lane.threads));
        const speed = (name) => scene.lanes.find((lane) => lane.scheduler === name && lane.threads === threads)?.speedup;
        const words = ["steal", "pccd"].filter((name) => speed(name)).map((name) => `${name} ${short(speed(name))} times`);
        return `${scene.scene} on ${count(threads, "thread")}: ${words.join(", ")} as fast as on one`;
    });
    const equal = allTrue(scenes.map((scene) => scene.equal));
    return `${parts.join("; ")}. ${equal ? "All schedulers find the same contacts." : "The contacts DIFFER."}`;
}

function teschner({ setups, equal }) {
    const ratios = (setups ?? []).flatMap(({ ways }) => {
        const [one, other] = ["as published", "sorted"].map((name) => ways.find((way) => way.way === name)?.mean);
        return one && other ? [one / other] : [];
    });
    const words = equal === false ? "The results DIFFER." : "All exact methods find the same.";
    return ratios.length ? `Spatial hashing as published takes ${range(ratios)} times as long as sorted cells. ${words}` : words;
}

function peers({ cases }) {
    const known = cases.filter((one) => one.ratio_to_best !== null);
    if (!known.length) return "No peer was built; these are the times of Fracas alone.";
    const met = known.filter((one) => one.met).length;
    return `The fastest peer takes ${range(known.map((one) => one.ratio_to_best))} times as long as Fracas; ${met} of ${known.length} goals are met.`;
}

function medial({ scenes }) {
    const of = (name) => scenes.flatMap(({ methods }) => {
        const [one, other] = [name, "medial"].map((method) => methods.find((m) => m.method === method)?.ms);
        return one > 0 && other > 0 ? [one / other] : [];
    });
    return `Trees of boxes take ${range(of("boxes"))} times, trees of spheres ${range(of("spheres"))} times as long as medial primitives.`;
}

function edits({ rebuild, tearing }) {
    if (rebuild?.length) {
        const last = rebuild.at(-1);
        return `Building ${number(last.triangles)} triangles takes ${range(rebuild.map((row) => row.rebuild_ms))} ms, refitting ${range(rebuild.map((row) => row.refit_ms))} ms.`;
    }
    if (tearing) return `A frame with splits takes ${range(tearing.modes.map((row) => row.torn_ms / row.quiet_ms))} times as long as one without.`;
    return "Times of edits.";
}

const answers = {
    fastcd,
    pccd,
    teschner,
    peers,
    medial,
    edits,
    ccd: ({ rows }) =>
        `A rejected candidate takes ${range(rows.map((row) => row.ns_rejected))} ns, a hit ${range(rows.map((row) => row.us_hit))} µs; ${allTrue(rows.map((row) => row.right)) ? "all hits are right" : "hits are WRONG"}.`,
    cull: ({ modes }) => {
        const ms = (name) => modes.find((row) => row.cull === name)?.ms;
        const total = (one) => one.cull + one.update + one.detect;
        return `A frame takes ${short(total(ms("certificate")))} ms with certificates, ${short(total(ms("none")))} ms without culling.`;
    },
    fragment: (result) => {
        const here = Object.keys(result.resolution).length;
        const scenes = Object.keys(result.scenes).length;
        return `Rigid bodies that break${here ? `; ${count(here, "resolution")} of a ball` : ""}${scenes ? `; ${count(scenes, "published scene")}` : ""}.`;
    },
    hashes: ({ scenes }) => {
        const good = scenes.filter((one) => one.ok).length;
        return good === scenes.length
            ? `All ${number(good)} runs find exactly the committed contacts.`
            : `${number(scenes.length - good)} of ${number(scenes.length)} runs find OTHER contacts than the committed ones.`;
    },
    misses: ({ rows, misses, certified_end: end, certified_step: step }) => {
        if (!rows) return `${number(misses)} wrong certificates among ${number(end + step)}.`;
        const modes = [...new Set(rows.filter((row) => row.missed).map((row) => row.mode))];
        return modes.length ? `These modes miss contacts: ${modes.join(", ")}.` : "No mode misses a contact.";
    },
    queries: (one) =>
        `${number(one.queries)} published queries: ${number(one.false_positive)} false positives, ${number(one.false_negative)} false negatives, ${short(one.us_per_query)} µs each.`,
    restructure: ({ cases }) => {
        const ratio = (name) => range(cases.map((one) => one.policies[name].ms / one.policies.selective.ms));
        return `Never rebuilding takes ${ratio("none")} times as long as selective rebuilding, always ${ratio("always")} times.`;
    },
    separation: ({ rows }) =>
        `A candidate without a hit takes ${range(rows.map((row) => row.ns_miss))} ns, a hit ${range(rows.map((row) => row.ns_hit))} ns.`,
    tc: ({ mean }) =>
        `The traversal cost correlates with the box tests of a model with itself by ${short(mean.self.tc)}, with another by ${short(mean.inter.tc)}.`,
    tri: ({ rows }) => `A pair of triangles takes ${range(rows.map((row) => row.ns_per_pair))} ns.`,
};

/** The answer; without numbers that it knows it says what was measured. */
export function benchAnswer({ benchmark, about }, result) {
    try {
        const text = answers[benchmark]?.(result);
        if (text && !/undefined|NaN|Infinity/.test(text)) return text;
    } catch {
        // The run has other parts than the sentence is about.
    }
    return `What was measured: ${about || benchmark}.`;
}

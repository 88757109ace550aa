// The answer in words, and names of bodies and features.
import { KINDS, KIND_NAMES, NONE, isContinuous, isCrossing } from "./data.js";

export const number = (n) => n.toLocaleString("en-US");
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
const file = (path) => path.replace(/.*\//, "");

export const sum = (step) => KINDS.reduce((all, kind) => all + (step[kind] ?? 0), 0);

/** The names of the bodies as the program has them, else "body 3". */
export const makeBodyName = (report) => (b) => report.bodies?.[b] ?? `body ${b}`;

/** The time in frames of a part of a step, 0 to 1. A step at rest is at its frame. */
export function frameTime(report, step, part) {
    const { frame, moves } = report.summary.steps[step];
    return moves ? frame - 1 + part : frame;
}

/** What was found, in a sentence; with the scene, which the program does not repeat in its answer. */
export function answer(report) {
    if (!report.summary.steps.length) return "Nothing was checked: the sequence has no steps.";
    return report.title ? `Scene ${report.title}: ${report.answer}` : report.answer;
}

/** What the page leaves out, as sentences; empty: nothing. */
export function leftOut(report) {
    const { left_out: left, keys, summary } = report;
    if (!left) return [];
    const more = `--report-size ${left.megabytes * 4}`;
    const texts = [];
    if (left.steps_without_meshes && !keys.length)
        texts.push(
            `The meshes do not fit into ${left.megabytes} MB and were left out; ${more} has more room.`,
        );
    else if (left.steps_without_meshes)
        texts.push(
            `The meshes of ${number(left.steps_without_meshes)} of ${count(summary.steps.length, "step")} were left out to keep the page below ${left.megabytes} MB; the motion between the others is drawn as straight. ${more} has more room.`,
        );
    if (left.contacts)
        texts.push(
            `${count(left.contacts, "contact")} of ${number(summary.totals ? sum(summary.totals) : 0)} are counted, but not listed. All are in the file that --out writes.`,
        );
    return texts;
}

/** For example "face 12 of a.ply". */
export function describeSides(contacts, i, bodyName) {
    const kind = KINDS[contacts.kind[i]];
    const a = bodyName(contacts.bodyA[i]),
        b = bodyName(contacts.bodyB[i]);
    const edge = (x, y) => `${x}–${y}`;
    const { a0, a1, b0, b1, tetB } = contacts;
    const left =
        {
            tt: `face ${a0[i]}`,
            et: `wire ${edge(a0[i], a1[i])}`,
            ee: `edge ${edge(a0[i], a1[i])}`,
            ve: `point ${a0[i]}`,
            vv: `point ${a0[i]}`,
        }[kind] ?? `vertex ${a0[i]}`;
    const right =
        {
            ee: `edge ${edge(b0[i], b1[i])}`,
            ve: `wire ${edge(b0[i], b1[i])}`,
            vv: `point ${b0[i]}`,
            vt: `tetrahedron ${tetB[i] === NONE ? b0[i] : tetB[i]}`,
        }[kind] ?? `face ${b0[i]}`;
    if (kind === "inside") return [a, `inside ${b}`];
    // Of a rigid body it is not known which tetrahedron.
    if (kind === "vt" && b0[i] === NONE)
        return [`${left} of ${a}`, `${contacts.depth[i] ? "inside" : "meets"} ${b}`];
    return [`${left} of ${a}`, `${right} of ${b}`];
}

/** For example "crosses, place 2" or "at 8.31". */
export function describeWhen(report, contacts, i, step) {
    if (isContinuous(contacts.kind[i])) return `at ${frameTime(report, step, contacts.toi[i]).toFixed(3)}`;
    const place = contacts.place[i] === NONE ? "" : `, place ${contacts.place[i]}`;
    if (contacts.corners[i]) return `${isCrossing(contacts, i) ? "crosses" : "touches"}${place}`;
    if (contacts.bodyA[i] !== contacts.bodyB[i] && contacts.b0[i] === NONE && !contacts.depth[i]) return "";
    return contacts.depth[i] ? `inside, deep` : "inside";
}

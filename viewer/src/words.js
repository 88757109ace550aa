// The answer in words, and names of bodies and features.
import { KINDS, KIND_NAMES, NONE, isContinuous, isCrossing } from "./data.js";

export const number = (n) => n.toLocaleString("en-US");
export const count = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
const file = (path) => path.replace(/.*\//, "");

export const sum = (step) => KINDS.reduce((all, kind) => all + (step[kind] ?? 0), 0);

/** The names of the bodies, where each file is one; else "body 3". */
export function makeBodyName(report) {
    const { steps } = report.summary;
    const names = steps[0]?.to ?? [];
    const one = names.length === 1 && report.title;
    return (b) => (one || b >= names.length ? `body ${b}` : file(names[b]));
}

/** "3 vertex–face and 12 edge–edge contacts" */
function listKinds(totals) {
    const parts = KINDS.filter((kind) => totals[kind]).map(
        (kind) => `${number(totals[kind])} ${KIND_NAMES[kind]}`,
    );
    const last = parts.pop();
    const one = parts.length === 0 && sum(totals) === 1;
    return `${parts.length ? `${parts.join(", ")} and ` : ""}${last} contact${one ? "" : "s"}`;
}

function subject(report) {
    if (report.title) return `The scene ${report.title}`;
    const names = report.summary.steps[0].to.map(file);
    return names.length > 3 ? `${names.length} bodies` : names.join(" and ");
}

/** One or two sentences that say what was found. */
export function answer(report) {
    const { steps, totals, mode } = report.summary;
    if (steps.length === 0) return "Nothing was checked: the sequence has no steps.";
    const hit = steps.filter((step) => sum(step) > 0);
    const who = subject(report);
    if (steps.length === 1) {
        const [step] = steps;
        if (!hit.length) return `${who}: no contacts.`;
        const self = step.to.length === 1 && !report.title;
        const does =
            mode === "discrete"
                ? self
                    ? "intersects itself"
                    : step.to.length === 2
                      ? "intersect"
                      : "has contacts"
                : self
                  ? "touches itself on its way"
                  : "touch on their way";
        const places = step.places ? ` in ${count(step.places, "place")}` : "";
        const first =
            step.earliest_toi === null ? "" : `; first at ${step.earliest_toi.toFixed(2)} of the step`;
        return `${who} ${does}: ${listKinds(step)}${places}${first}.`;
    }
    if (!hit.length) return `${who}: no contacts in ${count(steps.length, "step")}.`;
    const last = hit.at(-1);
    const range =
        hit.length === 1
            ? `Step ${hit[0].step} of ${steps.length} has contacts`
            : `Steps ${hit[0].step} to ${last.step} of ${steps.length} have contacts`;
    const gaps = hit.length > 1 && hit.length < last.step - hit[0].step + 1 ? ` (${hit.length} of them)` : "";
    const toi = hit[0].earliest_toi;
    const first = toi === null ? "" : `, the first at ${(hit[0].step + toi).toFixed(2)}`;
    const edits = totals.edits ? ` ${count(totals.edits, "element")} were edited.` : "";
    return `${who}: ${range.charAt(0).toLowerCase()}${range.slice(1)}${gaps}${first}. In all ${listKinds(totals)}.${edits}`;
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
    return [`${left} of ${a}`, `${right} of ${b}`];
}

/** For example "crosses, place 2" or "at 8.31". */
export function describeWhen(contacts, i, step) {
    if (isContinuous(contacts.kind[i])) return `at ${(step + contacts.toi[i]).toFixed(3)}`;
    const place = contacts.place[i] === NONE ? "" : `, place ${contacts.place[i]}`;
    if (contacts.corners[i]) return `${isCrossing(contacts, i) ? "crosses" : "touches"}${place}`;
    return contacts.depth[i] ? `inside, deep` : "inside";
}

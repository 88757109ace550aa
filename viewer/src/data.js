// The data of the page: check it, and decode contacts and meshes when they are needed.
// docs/report.md describes the format.
import { unzlibSync } from "fflate";

/** A message for the reader of the page. */
export class BadReport extends Error {}

/** The order of kinds in the columns; as in the JSON of the program. */
export const KINDS = ["tt", "et", "vf", "ee", "ve", "vv", "vt", "inside"];
export const KIND_NAMES = {
    tt: "triangle–triangle",
    et: "wire–triangle",
    vf: "vertex–face",
    ee: "edge–edge",
    ve: "point–wire",
    vv: "point–point",
    vt: "vertex–tetrahedron",
    inside: "body inside body",
};
export const NONE = 0xffffffff;
const CROSS = 2;

export function parseReport(text) {
    if (!text.trim().startsWith("{"))
        throw new BadReport(
            "This page has no data. Write it with: fracas detect FRAME... --report page.html",
        );
    let report;
    try {
        report = JSON.parse(text);
    } catch (error) {
        throw new BadReport(
            `The data of this page cannot be read (${error.message}). The file may be cut off; write it again with --report.`,
        );
    }
    if (report?.format !== 1)
        throw new BadReport(
            `The data of this page has format ${report?.format}, but the page reads format 1.`,
        );
    const lists = {
        summary: report.summary?.steps,
        contacts: report.contacts,
        keys: report.keys,
        topologies: report.topologies,
    };
    for (const [name, list] of Object.entries(lists))
        if (!Array.isArray(list))
            throw new BadReport(`The data of this page has no "${name}"; write it again with --report.`);
    if (report.contacts.length !== report.summary.steps.length)
        throw new BadReport(
            `The data of this page has ${report.summary.steps.length} steps, but contacts of ${report.contacts.length}.`,
        );
    return report;
}

/** Bytes of a base64 string of the report, uncompressed. */
export function unpack(report, text) {
    let bytes;
    try {
        // In live mode they are not text.
        if (text instanceof Uint8Array) bytes = text;
        else
            bytes = Uint8Array.fromBase64
                ? Uint8Array.fromBase64(text)
                : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    } catch {
        throw new BadReport("Binary data of this page is damaged: it is not base64.");
    }
    if (report.encoding !== "deflate") return bytes;
    try {
        return unzlibSync(bytes);
    } catch (error) {
        throw new BadReport(`Binary data of this page is damaged: ${error.message}.`);
    }
}

function expect(bytes, size, what) {
    if (bytes.length !== size)
        throw new BadReport(
            `Binary data of this page is damaged: ${what} have ${bytes.length} bytes instead of ${size}.`,
        );
}

// ---- contacts

const NUMBERS = ["bodyA", "bodyB", "a0", "a1", "b0", "b1", "triA", "triB", "tetA", "tetB", "place"];
const FLOATS = ["toi", "depth", "x", "y", "z", "nx", "ny", "nz"];

/** The contacts of a step as columns. Points are in the coordinates of the page. */
export function decodeContacts(report, step) {
    const { columns, written: n } = report.contacts[step];
    const bytes = unpack(report, columns);
    const c = {
        count: n,
        kind: bytes.subarray(0, n),
        meeting: bytes.subarray(n, 2 * n),
        corners: bytes.subarray(2 * n, 3 * n),
    };
    let at = 3 * n;
    const column = (Type, length) => {
        const part = new Type(bytes.slice(at, at + 4 * length).buffer);
        at += 4 * length;
        return part;
    };
    const points = c.corners.reduce((sum, count) => sum + count, 0);
    expect(
        bytes,
        3 * n + 4 * (NUMBERS.length + FLOATS.length) * n + 12 * points,
        `the contacts of step ${step}`,
    );
    for (const name of NUMBERS) c[name] = column(Uint32Array, n);
    for (const name of FLOATS) c[name] = column(Float32Array, n);
    c.points = column(Float32Array, 3 * points);
    c.begins = new Uint32Array(n + 1);
    for (let i = 0; i < n; i++) c.begins[i + 1] = c.begins[i] + c.corners[i];
    return c;
}

export const isContinuous = (kind) => kind >= 2 && kind <= 5;
export const isCrossing = (contacts, i) => contacts.meeting[i] === CROSS;

/** Which triangles of the step have a contact: their indices in the mesh, or null if unknown. */
export function decodeMarks(report, step) {
    const { marks, marked, topology } = report.contacts[step];
    if (marks === undefined) return null;
    const bits = unpack(report, marks);
    const triangles = new Uint32Array(marked);
    let count = 0;
    for (let i = 0; i < 8 * bits.length; i++) if ((bits[i >> 3] >> (i & 7)) & 1) triangles[count++] = i;
    expect({ length: count }, marked, `the marks of step ${step}`);
    return { topology, triangles };
}

// ---- meshes

const unzigzag = (n) => (n >>> 1) ^ -(n & 1);

function decodeTopology(report, index) {
    const { bodies, vertices, triangles, begins, corners } = report.topologies[index];
    const offsets = unpack(report, begins);
    expect(offsets, 8 * (bodies + 1), `the bodies of mesh ${index}`);
    const numbers = new Uint32Array(offsets.buffer, offsets.byteOffset, 2 * (bodies + 1));
    const planes = unpack(report, corners);
    const n = 3 * triangles;
    expect(planes, 4 * n, `the triangles of mesh ${index}`);
    const indices = new Uint32Array(n);
    for (let i = 0, last = 0; i < n; i++) {
        const coded =
            planes[i] | (planes[n + i] << 8) | (planes[2 * n + i] << 16) | (planes[3 * n + i] << 24);
        last = (last + unzigzag(coded)) >>> 0;
        if (last >= vertices)
            throw new BadReport(`The data of this page is damaged: mesh ${index} has no vertex ${last}.`);
        indices[i] = last;
    }
    return {
        index,
        bodies,
        vertices,
        triangles,
        vertexBegins: numbers.subarray(0, bodies + 1),
        triangleBegins: numbers.subarray(bodies + 1),
        indices,
    };
}

function decodeState(report, topology, data, before) {
    const n = topology.vertices;
    let grids = before?.grids;
    if (data.grids !== undefined) {
        const bytes = unpack(report, data.grids);
        expect(bytes, 32 * topology.bodies, "the grids");
        grids = new Float64Array(bytes.slice().buffer);
    }
    const planes = unpack(report, data.places);
    expect(planes, 6 * n, "positions");
    const places = new Uint16Array(3 * n);
    for (let axis = 0; axis < 3; axis++) {
        const low = 2 * axis * n,
            high = low + n;
        let last = 0;
        for (let v = 0; v < n; v++) {
            const difference = unzigzag(planes[low + v] | (planes[high + v] << 8));
            last = ((data.differs ? before.places[3 * v + axis] : last) + difference) & 0xffff;
            places[3 * v + axis] = last;
        }
    }
    return { grids, places };
}

/** The meshes of all steps. They are decoded in order when they are needed, and kept. */
export class Meshes {
    constructor(report) {
        this.report = report;
        this.keys = report.keys;
        this.topologies = new Map();
        this.decoded = []; // by key: {topology, from, to, begin, end}
    }

    topology(index) {
        if (!this.topologies.has(index)) this.topologies.set(index, decodeTopology(this.report, index));
        return this.topologies.get(index);
    }

    /** Decode keys up to number k. */
    key(k) {
        while (this.decoded.length <= k) {
            const { step, topology: index, t0, t1 } = this.keys[this.decoded.length];
            const last = this.decoded.at(-1);
            const topology = this.topology(index);
            const from = t0 ? decodeState(this.report, topology, t0, last?.to) : last.to;
            const to = decodeState(this.report, topology, t1, from);
            this.decoded.push({ topology, from, to, begin: t0 ? step : last.end, end: step + 1 });
        }
        return this.decoded[k];
    }

    /** The key whose motion contains the time at the end of or within `step`; null without meshes. */
    at(step) {
        const { keys } = this;
        if (keys.length === 0) return null;
        let k = keys.findIndex((key) => key.step >= step);
        if (k < 0) k = keys.length - 1;
        // A key that does not continue the one before begins with its own step.
        if (k > 0 && keys[k].step > step && keys[k].t0) k--;
        return this.key(k);
    }
}

/** Positions at a time, as 3 floats for each vertex. */
export function interpolate(key, time, out) {
    const span = key.end - key.begin;
    const f = Math.min(1, Math.max(0, (time - key.begin) / span));
    const { vertexBegins, bodies } = key.topology;
    const p = key.from.places,
        q = key.to.places;
    for (let b = 0; b < bodies; b++) {
        const g = key.from.grids.subarray(4 * b, 4 * b + 4),
            h = key.to.grids.subarray(4 * b, 4 * b + 4);
        const ox = g[0] + f * (h[0] - g[0]),
            oy = g[1] + f * (h[1] - g[1]),
            oz = g[2] + f * (h[2] - g[2]);
        const from = (1 - f) * g[3],
            to = f * h[3];
        for (let i = 3 * vertexBegins[b], end = 3 * vertexBegins[b + 1]; i < end; i += 3) {
            out[i] = ox + from * p[i] + to * q[i];
            out[i + 1] = oy + from * p[i + 1] + to * q[i + 1];
            out[i + 2] = oz + from * p[i + 2] + to * q[i + 2];
        }
    }
}

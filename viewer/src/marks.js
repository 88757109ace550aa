// Which triangles have a contact, for a selection of contacts; as cli/page_contacts.c does for all.
import { KINDS, NONE } from "./data.js";

/** Triangles of which the triangle, an edge or a corner is in one of the chosen contacts. */
export function markTriangles(topology, contacts, chosen) {
    const { vertexBegins, triangleBegins, vertices, indices } = topology;
    const triangles = new Uint8Array(topology.triangles),
        corners = new Uint8Array(vertices),
        edges = new Set();
    const edge = (x, y) => Math.min(x, y) * vertices + Math.max(x, y);
    const triangle = (body, t) => {
        if (t !== NONE && body < topology.bodies) triangles[triangleBegins[body] + t] = 1;
    };
    for (const i of chosen) {
        const a = contacts.bodyA[i],
            b = contacts.bodyB[i],
            kind = KINDS[contacts.kind[i]];
        if (kind === "tt") triangle(a, contacts.triA[i]);
        if (kind === "tt" || kind === "et" || kind === "vf") triangle(b, contacts.triB[i]);
        if (kind === "vf" || kind === "vt" || kind === "inside")
            corners[vertexBegins[a] + contacts.a0[i]] = 1;
        if (kind !== "ee") continue;
        edges.add(edge(vertexBegins[a] + contacts.a0[i], vertexBegins[a] + contacts.a1[i]));
        edges.add(edge(vertexBegins[b] + contacts.b0[i], vertexBegins[b] + contacts.b1[i]));
    }
    const marked = [];
    for (let t = 0; t < topology.triangles; t++) {
        const x = indices[3 * t],
            y = indices[3 * t + 1],
            z = indices[3 * t + 2];
        const touched = triangles[t] || corners[x] || corners[y] || corners[z];
        if (
            touched ||
            (edges.size && (edges.has(edge(x, y)) || edges.has(edge(y, z)) || edges.has(edge(z, x))))
        )
            marked.push(t);
    }
    return marked;
}

/** The features of a contact as lists of vertices of the mesh: [side a, side b]. */
export function featuresOf(topology, contacts, i) {
    const { vertexBegins, triangleBegins, indices } = topology;
    const a = contacts.bodyA[i],
        b = contacts.bodyB[i];
    if (a >= topology.bodies || b >= topology.bodies) return [[], []];
    const triangle = (body, t) => {
        const at = 3 * (triangleBegins[body] + t);
        return t === NONE ? [] : [...indices.subarray(at, at + 3)];
    };
    const vertices = (body, ...list) => list.map((v) => vertexBegins[body] + v);
    switch (KINDS[contacts.kind[i]]) {
        case "tt":
            return [triangle(a, contacts.triA[i]), triangle(b, contacts.triB[i])];
        case "et":
            return [vertices(a, contacts.a0[i], contacts.a1[i]), triangle(b, contacts.triB[i])];
        case "vf":
            return [vertices(a, contacts.a0[i]), triangle(b, contacts.triB[i])];
        case "ee":
            return [vertices(a, contacts.a0[i], contacts.a1[i]), vertices(b, contacts.b0[i], contacts.b1[i])];
        case "ve":
            return [vertices(a, contacts.a0[i]), vertices(b, contacts.b0[i], contacts.b1[i])];
        case "vv":
            return [vertices(a, contacts.a0[i]), vertices(b, contacts.b0[i])];
        default:
            return [vertices(a, contacts.a0[i]), []];
    }
}

/** Edges of one triangle, of more than two, as pairs of vertices. */
export function defectEdges(topology) {
    const counts = new Map();
    const { indices, vertices } = topology;
    for (let i = 0; i < indices.length; i++) {
        const x = indices[i],
            y = indices[i % 3 === 2 ? i - 2 : i + 1];
        if (x === y) continue;
        const edge = Math.min(x, y) * vertices + Math.max(x, y);
        counts.set(edge, (counts.get(edge) ?? 0) + 1);
    }
    const found = [];
    for (const [edge, count] of counts)
        if (count !== 2) found.push(Math.floor(edge / vertices), edge % vertices);
    return found;
}

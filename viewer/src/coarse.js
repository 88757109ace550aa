// A coarser mesh for playing where every triangle costs time. Neighbouring vertices are joined in pairs,
// again and again; joining along edges only never connects what lies close by chance.

const SHORT = 0.04; // the meshes fit into a box from -1 to 1

/** Indices of the triangles that are left when about `most` are. Long edges keep their shape. */
export function makeCoarse({ indices, vertices, triangles }, positions, most) {
    if (triangles <= most) return indices;
    const isShort = (a, b) => {
        let square = 0;
        for (let i = 0; i < 3; i++) square += (positions[3 * a + i] - positions[3 * b + i]) ** 2;
        return square < SHORT * SHORT;
    };
    let kept = indices;
    while (kept.length > 3 * most) {
        const joined = new Uint8Array(vertices),
            target = new Uint32Array(vertices);
        for (let v = 0; v < vertices; v++) target[v] = v;
        for (let i = 0; i < kept.length; i++) {
            const a = kept[i],
                b = kept[i % 3 === 2 ? i - 2 : i + 1];
            if (a === b || joined[a] || joined[b] || !isShort(a, b)) continue;
            joined[a] = joined[b] = 1;
            target[b] = a;
        }
        const next = new Uint32Array(kept.length);
        let count = 0;
        for (let i = 0; i < kept.length; i += 3) {
            const a = target[kept[i]],
                b = target[kept[i + 1]],
                c = target[kept[i + 2]];
            if (a === b || b === c || c === a) continue;
            next[count++] = a;
            next[count++] = b;
            next[count++] = c;
        }
        // Separate triangles cannot become fewer.
        if (count > 0.9 * kept.length) break;
        kept = next.slice(0, count);
    }
    return kept;
}

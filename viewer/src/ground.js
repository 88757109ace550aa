// The ground of a scene of rigid bodies, which the camera need not see as a whole.

/** The vertices of the ground, [begin, end): of flat bodies the widest, unless it is all there is. */
export function findGround(topology, state, up) {
    const axis = up === "z" ? 2 : 1;
    let best,
        widest = 0,
        others = 0;
    for (let b = 0; b < topology.bodies; b++) {
        const range = [topology.vertexBegins[b], topology.vertexBegins[b + 1]];
        if (range[0] === range[1]) continue;
        const low = [65535, 65535, 65535],
            high = [0, 0, 0];
        for (let i = 3 * range[0]; i < 3 * range[1]; i++) {
            low[i % 3] = Math.min(low[i % 3], state.places[i]);
            high[i % 3] = Math.max(high[i % 3], state.places[i]);
        }
        const width = state.grids[4 * b + 3] * Math.max(...high.map((x, i) => x - low[i]));
        const flat = high[axis] - low[axis] < 500;
        others++;
        if (!flat || width <= widest) continue;
        widest = width;
        best = range;
    }
    return others > 1 ? best : undefined;
}

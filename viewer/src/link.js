// The state of the page in its address: #frame=12.5&contact=34.

export function readLink(hash = location.hash) {
    const values = new URLSearchParams(hash.replace(/^#/, ""));
    const read = (name) => {
        const text = values.get(name);
        const value = Number(text);
        return text === null || text === "" || !Number.isFinite(value) || value < 0 ? null : value;
    };
    return { frame: read("frame"), contact: read("contact") };
}

export function makeLink({ frame, contact }) {
    const parts = [`frame=${+frame.toFixed(4)}`];
    if (contact !== null) parts.push(`contact=${contact}`);
    return `#${parts.join("&")}`;
}

export function writeLink(state) {
    const link = makeLink(state);
    if (location.hash === link) return;
    try {
        history.replaceState(null, "", link);
    } catch {
        // Some browsers refuse this for local files; the link can still be copied.
    }
}

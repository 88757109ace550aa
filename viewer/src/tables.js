// Tables below the charts: pairs of bodies, and the meshes with their defects.
import { element } from "./dom.js";
import { KINDS } from "./data.js";
import { count, number } from "./words.js";

const SHOWN = 500;

function table(caption, heads, rows) {
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    return element(
        "div",
        { class: "table" },
        element(
            "table",
            {},
            element("caption", {}, caption),
            element("thead", {}, head),
            element("tbody", {}, ...rows),
        ),
    );
}

export function makePairTable(report, bodyName, onpair) {
    const { pairs, pair_count: all } = report;
    if (!pairs.length)
        return element("p", { class: "note" }, "No two bodies touch, and none touches itself.");
    const kinds = KINDS.filter((kind) => pairs.some((pair) => pair[kind]));
    const rows = pairs.slice(0, SHOWN).map((pair) => {
        const name =
            pair.a === pair.b ? `${bodyName(pair.a)}, itself` : `${bodyName(pair.a)} – ${bodyName(pair.b)}`;
        return element(
            "tr",
            {},
            element(
                "th",
                { scope: "row" },
                element("button", { type: "button", class: "link", onclick: () => onpair(pair) }, name),
            ),
            ...kinds.map((kind) => element("td", {}, number(pair[kind] ?? 0))),
            element("td", {}, number(pair.steps)),
            element("td", {}, pair.first.toFixed(2)),
        );
    });
    const more =
        all > rows.length
            ? element("p", { class: "note" }, `${count(all - rows.length, "more pair")} with fewer contacts.`)
            : null;
    return element(
        "div",
        {},
        table("Contacts by pair of bodies", ["bodies", ...kinds, "steps", "first at"], rows),
        more,
    );
}

const DEFECTS = [
    ["boundary_edges", "boundary edges"],
    ["nonmanifold_edges", "non-manifold edges"],
    ["misoriented_edges", "misoriented edges"],
    ["flat_triangles", "flat triangles"],
    ["repeated_index_triangles", "repeated indices"],
    ["duplicate_triangles", "duplicate triangles"],
];

export function makeMeshTable(report, bodyName) {
    const meshes = report.meshes ?? [];
    if (!meshes.length) return element("p", { class: "note" }, "No meshes were recorded.");
    const used = DEFECTS.filter(([key]) => meshes.some((mesh) => mesh[key]));
    const ailing = meshes.filter((mesh) => used.some(([key]) => mesh[key]));
    const rows = (ailing.length ? ailing : meshes)
        .slice(0, SHOWN)
        .map((mesh) =>
            element(
                "tr",
                {},
                element("th", { scope: "row" }, bodyName(mesh.body)),
                element("td", {}, number(mesh.step)),
                element("td", {}, number(mesh.vertices)),
                element("td", {}, number(mesh.triangles)),
                element("td", {}, number(mesh.components)),
                element("td", {}, mesh.closed ? "yes" : "no"),
                element("td", {}, mesh.manifold ? "yes" : "no"),
                ...used.map(([key]) => element("td", { class: mesh[key] ? "bad" : null }, number(mesh[key]))),
            ),
        );
    const fine = meshes.length - ailing.length;
    const text = ailing.length
        ? fine
            ? `${count(fine, "body", "bodies")} without defects.`
            : ""
        : `All ${count(meshes.length, "mesh", "meshes")} are closed and manifold, without degenerate triangles.`;
    const left = (ailing.length || meshes.length) - rows.length;
    return element(
        "div",
        {},
        table(
            "Meshes and their defects",
            [
                "body",
                "step",
                "vertices",
                "triangles",
                "components",
                "closed",
                "manifold",
                ...used.map(([, name]) => name),
            ],
            rows,
        ),
        element("p", { class: "note" }, text, left > 0 ? ` ${number(left)} more are not listed.` : ""),
    );
}

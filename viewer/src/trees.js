// Colours of triangles by the trees of the bodies: the depth of their leaf, or the certified part that
// has them. docs/report.md describes the data.
import { Color, LinearSRGBColorSpace, Mesh, BufferAttribute, BufferGeometry } from "three";
import { BadReport, unpack } from "./data.js";
import { element } from "./dom.js";
import { cutSurface, makeSurface } from "./surface.js";

// From shallow to deep.
const RAMP = [0xfde725, 0x90d743, 0x35b779, 0x21918c, 0x31688e, 0x443983, 0x440154];
// Not certified, then certified parts: neighbours may have the same colour.
const PARTS = [0x9a9a9a, 0x4e79a7, 0xf28e2b, 0x59a14f, 0xb07aa1, 0xedc948, 0x76b7b2, 0xd37295];

const mix = (a, b, f) =>
    [16, 8, 0].reduce((sum, s) => sum | (Math.round(((a >> s) & 255) * (1 - f) + ((b >> s) & 255) * f) << s), 0);

/** Colours of the depths 0 to `deepest`. */
export function depthColors(deepest) {
    return Array.from({ length: deepest + 1 }, (_, depth) => {
        const at = deepest ? (depth / deepest) * (RAMP.length - 1) : 0;
        const i = Math.min(RAMP.length - 2, Math.floor(at));
        return mix(RAMP[i], RAMP[i + 1], at - i);
    });
}

export const hasTrees = (report) => (report.trees ?? []).some((one) => one !== null);

/** Depths and colours of parts of the triangles of a step, with the topology that they belong to; or null. */
export function decodeTrees(report, step) {
    let data = report.trees?.[step] ?? null;
    if (typeof data === "number") data = report.trees[data];
    if (data === null) return null;
    const bytes = unpack(report, data);
    const { topology } = report.contacts[step];
    if (report.topologies[topology] && bytes.length !== report.topologies[topology].triangles)
        throw new BadReport(`Binary data of this page is damaged: the trees of step ${step}.`);
    return { topology, depths: bytes.map((code) => code & 31), parts: bytes.map((code) => code >> 5) };
}

/** The meaning of the colours, as elements. */
export function treeKey(kind, classes) {
    const swatch = (hex) =>
        element("span", { class: "swatch", style: `background:#${hex.toString(16).padStart(6, "0")}` });
    if (kind === "depth") {
        const deepest = classes.reduce((most, depth) => Math.max(most, depth), 0);
        return [`depth 0 `, ...depthColors(deepest).map(swatch), ` ${deepest}`];
    }
    const certified = classes.reduce((count, part) => count + (part > 0), 0);
    const share = classes.length ? Math.round((100 * certified) / classes.length) : 0;
    return [...PARTS.slice(1).map(swatch), ` certified parts, ${share} % of the triangles; `, swatch(PARTS[0]), " none"];
}

/** Draws every triangle in the colour of its class, in place of the mesh of the view. */
export class Tinted {
    constructor(view) {
        this.view = view;
        this.meshes = [];
    }

    /** `kind` is "depth" or "parts"; without classes the mesh of the view is drawn. */
    show(kind, classes) {
        for (const mesh of this.meshes) {
            this.view.scene.remove(mesh);
            mesh.geometry.dispose();
            mesh.material.dispose();
        }
        this.meshes = [];
        if (classes) {
            const colors = kind === "depth" ? depthColors(classes.reduce((a, b) => Math.max(a, b), 0)) : PARTS;
            colors.forEach((hex, k) => this.add(classes, k, hex));
        }
        this.restyle();
    }

    add(classes, k, hex) {
        const { indices } = this.view.topology;
        const corners = [];
        for (let t = 0; t < classes.length; t++)
            if (classes[t] === k) corners.push(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]);
        if (!corners.length) return;
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", this.view.positions);
        geometry.setIndex(new BufferAttribute(new Uint32Array(corners), 1));
        const mesh = new Mesh(geometry, makeSurface(false, 4));
        mesh.material.uniforms.tint.value = new Color().setHex(hex, LinearSRGBColorSpace);
        mesh.frustumCulled = false;
        this.meshes.push(mesh);
        this.view.scene.add(mesh);
    }

    /** Look as the mesh does: wireframe, transparency, section. While the player hurries the mesh is drawn. */
    restyle() {
        const { plain, mesh, hurried, renderer } = this.view;
        const shown = this.meshes.length > 0 && !hurried;
        mesh.visible = !shown;
        for (const { material } of this.meshes) {
            material.wireframe = plain.wireframe;
            material.transparent = plain.transparent;
            material.depthWrite = plain.depthWrite;
            material.uniforms.opacity.value = plain.uniforms.opacity.value;
            cutSurface(material, renderer.clippingPlanes[0] ?? null);
            material.needsUpdate = true;
        }
        for (const one of this.meshes) one.visible = shown;
        this.view.draw();
    }
}

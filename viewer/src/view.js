// The 3-D view: the meshes, marked triangles, contacts, and the camera.
import {
    Box3,
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    LinearSRGBColorSpace,
    Mesh,
    PerspectiveCamera,
    Plane,
    Points,
    PointsMaterial,
    Raycaster,
    Scene,
    Vector2,
    Vector3,
    WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { makeCoarse } from "./coarse.js";
import { color, onTheme } from "./dom.js";
import { cutSurface, makeSurface } from "./surface.js";
import { Tinted } from "./trees.js";

const SLOW_MS = 60;
const COARSE_TRIANGLES = 9000;
const BODY_COLORS = [
    0x8fa7bf, 0xc9b27c, 0x8fb996, 0xb79ac8, 0xc79a8b, 0x7fb5b5, 0xa9a9a0, 0x9aa6d6, 0xb8bf7a, 0xcf9fb4,
];

export function webglProblem() {
    try {
        const context = document.createElement("canvas").getContext("webgl2");
        if (context) {
            context.getExtension("WEBGL_lose_context")?.loseContext();
            return null;
        }
    } catch {
        // As without a context.
    }
    return "The 3-D view needs WebGL 2, which this browser does not offer. Switch on hardware acceleration or use a current Firefox, Chrome, Edge or Safari. The rest of this page works without it.";
}

/** Is there no GPU, so that every pixel costs time? */
function isSoftware() {
    const context = document.createElement("canvas").getContext("webgl2");
    const info = context.getExtension("WEBGL_debug_renderer_info");
    const name = info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
    context.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class View {
    constructor(holder, onpick) {
        this.holder = holder;
        this.software = isSoftware();
        this.renderer = new WebGLRenderer({ antialias: !this.software });
        this.renderer.setPixelRatio(this.software ? 1 : Math.min(devicePixelRatio, 2));
        this.canvas = this.renderer.domElement;
        this.canvas.setAttribute("aria-label", "3-D view of the meshes");
        holder.append(this.canvas);
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(40, 1, 0.01, 100);
        this.box = new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1));
        this.clip = new Plane(new Vector3(-1, 0, 0), 0);
        this.frames = 0;
        this.topology = null;
        this.hurried = this.playing = false;
        this.makeMesh();
        this.makeMarks();
        this.tinted = new Tinted(this);
        this.listenForPicks(onpick);
        new ResizeObserver(() => this.resize()).observe(holder);
        onTheme(() => this.useTheme());
        this.home("y");
        this.resize();
    }

    makeMesh() {
        this.plain = makeSurface(true, 4);
        this.red = makeSurface(false, 3);
        this.mesh = new Mesh(new BufferGeometry(), this.plain);
        this.marked = new Mesh(new BufferGeometry(), this.red);
        this.loose = new Points(
            new BufferGeometry(),
            new PointsMaterial({ size: 4, sizeAttenuation: false }),
        );
        for (const object of [this.mesh, this.marked, this.loose]) {
            object.frustumCulled = false;
            this.scene.add(object);
        }
    }

    makeMarks() {
        const line = (name, width, over) => {
            const material = new LineMaterial({ linewidth: width, depthTest: !over, transparent: over });
            const lines = new LineSegments2(new LineSegmentsGeometry(), material);
            lines.frustumCulled = false;
            lines.visible = false;
            lines.renderOrder = over ? 2 : 1;
            lines.colorName = name;
            this.scene.add(lines);
            return lines;
        };
        this.curves = line("--curve", 3, false);
        this.defects = line("--defect", 2, false);
        this.sideA = line("--side-a", 4, true);
        this.sideB = line("--side-b", 4, true);
        this.dots = new Points(new BufferGeometry(), new PointsMaterial({ size: 7, sizeAttenuation: false }));
        this.spot = new Points(
            new BufferGeometry(),
            new PointsMaterial({ size: 13, sizeAttenuation: false, depthTest: false, transparent: true }),
        );
        this.spot.renderOrder = 3;
        for (const points of [this.dots, this.spot]) {
            points.frustumCulled = false;
            points.visible = false;
            this.scene.add(points);
        }
    }

    useTheme() {
        this.scene.background = new Color(color("--canvas"));
        this.red.uniforms.tint.value.setStyle(color("--hit"), LinearSRGBColorSpace);
        for (const lines of [this.curves, this.defects, this.sideA, this.sideB])
            lines.material.color = new Color(color(lines.colorName));
        this.loose.material.color = new Color(color("--soft"));
        this.dots.material.color = new Color(color("--dot"));
        this.spot.material.color = new Color(color("--spot"));
        this.draw();
    }

    // ---- content

    /** Replace the mesh; positions follow. `withLoose`: draw vertices without triangles. */
    setTopology(topology, byBody, withLoose) {
        if (this.topology === topology && this.byBody === byBody) return;
        this.topology = topology;
        this.byBody = byBody;
        const colors = new Uint8Array(3 * topology.vertices);
        const paint = new Color();
        for (let b = 0; b < topology.bodies; b++) {
            paint.setHex(BODY_COLORS[byBody ? b % BODY_COLORS.length : 0], LinearSRGBColorSpace);
            for (let v = topology.vertexBegins[b]; v < topology.vertexBegins[b + 1]; v++)
                colors.set([paint.r * 255, paint.g * 255, paint.b * 255], 3 * v);
        }
        this.positions = new BufferAttribute(new Float32Array(3 * topology.vertices), 3).setUsage(
            DynamicDrawUsage,
        );
        const shades = new BufferAttribute(colors, 3, true);
        for (const object of [this.mesh, this.marked, this.loose]) {
            object.geometry.dispose();
            object.geometry = new BufferGeometry();
            object.geometry.setAttribute("position", this.positions);
            object.geometry.setAttribute("color", shades);
        }
        this.fine = new BufferAttribute(topology.indices, 1);
        this.coarse = null;
        this.tinted.show(null, null);
        this.useMesh();
        const used = new Uint8Array(topology.vertices);
        for (const v of topology.indices) used[v] = 1;
        const loose = [];
        used.forEach((yes, v) => yes || loose.push(v));
        this.loose.geometry.setIndex(loose);
        this.loose.visible = withLoose && loose.length > 0;
        this.setMarked([]);
    }

    // While the player runs too slowly, a coarser mesh is drawn; marked triangles stay as they are.
    useMesh() {
        if (this.hurried)
            this.coarse ??= new BufferAttribute(
                makeCoarse(this.topology, this.positions.array, COARSE_TRIANGLES),
                1,
            );
        this.mesh.geometry.setIndex(this.hurried ? this.coarse : this.fine);
        this.tinted.restyle();
    }

    /** The player starts or stops. */
    setPlaying(on) {
        this.playing = on;
        this.slowness = 0;
        this.lastDrawn = 0;
        this.setHurried(on && this.software);
    }

    setHurried(on) {
        if (this.hurried === on || !this.topology) return;
        this.hurried = on;
        this.useMesh();
        if (this.software) this.renderer.setPixelRatio(on ? 0.75 : 1);
        this.draw();
    }

    // A few slow frames one after the other, and less is drawn.
    watchSpeed(now) {
        if (this.lastDrawn && now - this.lastDrawn > SLOW_MS) this.slowness++;
        else this.slowness = 0;
        this.lastDrawn = now;
        if (this.slowness >= 2) this.setHurried(true);
    }

    /** `fill` writes the positions. */
    setPositions(fill) {
        fill(this.positions.array);
        this.positions.needsUpdate = true;
        this.draw();
    }

    /** Is the vertex of the body that the camera need not see as a whole? */
    isGround(v) {
        return this.ground !== undefined && v >= this.ground[0] && v < this.ground[1];
    }

    /** Take the box of the positions as the whole scene. */
    measure() {
        this.box.makeEmpty();
        const p = new Vector3();
        for (let v = 0; v < this.positions.count; v++)
            if (!this.isGround(v)) this.box.expandByPoint(p.fromBufferAttribute(this.positions, v));
        this.home(this.up);
    }

    setMarked(triangles) {
        const { indices } = this.topology;
        const corners = new Uint32Array(3 * triangles.length);
        for (let i = 0; i < triangles.length; i++)
            for (let c = 0; c < 3; c++) corners[3 * i + c] = indices[3 * triangles[i] + c];
        this.marked.geometry.setIndex(new BufferAttribute(corners, 1));
        this.marked.visible = corners.length > 0;
        this.draw();
    }

    get markedCount() {
        return this.marked.visible ? this.marked.geometry.index.count / 3 : 0;
    }

    setLines(lines, coordinates) {
        lines.geometry.dispose();
        lines.geometry = new LineSegmentsGeometry();
        lines.visible = coordinates.length > 0;
        if (lines.visible) lines.geometry.setPositions(coordinates);
        this.draw();
    }

    setPoints(points, coordinates) {
        points.geometry.dispose();
        points.geometry = new BufferGeometry();
        points.geometry.setAttribute("position", new BufferAttribute(new Float32Array(coordinates), 3));
        points.visible = coordinates.length > 0;
        if (points === this.dots)
            points.material.size = coordinates.length > 3000 ? 2 : coordinates.length > 600 ? 3 : 5;
        this.draw();
    }

    /** The position of a vertex now. */
    vertex(v) {
        return new Vector3().fromBufferAttribute(this.positions, v);
    }

    // ---- appearance

    setWireframe(on) {
        this.plain.wireframe = on;
        this.tinted.restyle();
    }

    setTransparent(on) {
        this.plain.transparent = on;
        this.plain.uniforms.opacity.value = on ? 0.22 : 1;
        this.plain.depthWrite = !on;
        this.plain.needsUpdate = true;
        this.tinted.restyle();
    }

    /** Cut away what is on one side: axis "x", "y", "z" or "", place -1 to 1. */
    setSection(axis, place) {
        this.renderer.clippingPlanes = axis ? [this.clip] : [];
        if (axis) {
            this.clip.normal.set(axis === "x" ? -1 : 0, axis === "y" ? -1 : 0, axis === "z" ? -1 : 0);
            this.clip.constant = 1.001 * place;
        }
        for (const surface of [this.plain, this.red]) cutSurface(surface, axis ? this.clip : null);
        this.tinted.restyle();
    }

    // ---- camera

    /** See everything, with an axis that points up. */
    home(up) {
        this.flight = null;
        this.up = up;
        this.camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
        // The controls remember the axis that was up when they were made.
        this.controls?.dispose();
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.addEventListener("change", () => this.draw());
        this.controls.addEventListener("start", () => (this.flight = null));
        const way = up === "y" ? new Vector3(0.5, 0.45, 1) : new Vector3(0.5, -1, 0.45);
        this.controls.target.copy(this.box.getCenter(new Vector3()));
        this.camera.position.copy(this.controls.target).addScaledVector(way.normalize(), 1);
        this.controls.update();
        this.camera.position.addScaledVector(way, this.fittingDistance() - 1);
        this.controls.update();
        this.draw();
    }

    /** How far from the target, in the direction of the camera, everything is seen. */
    fittingDistance() {
        this.camera.updateMatrixWorld();
        const slope = Math.tan((this.camera.fov * Math.PI) / 360);
        const count = this.positions?.count ?? 0;
        const stride = Math.ceil(count / 300000);
        const p = new Vector3();
        let distance = 0.01;
        for (let v = 0; v < count; v += stride) {
            if (this.isGround(v)) continue;
            // The camera is at distance 1 now.
            p.fromBufferAttribute(this.positions, v).applyMatrix4(this.camera.matrixWorldInverse);
            distance = Math.max(
                distance,
                1 + p.z + Math.max(Math.abs(p.y), Math.abs(p.x) / this.camera.aspect) / slope,
            );
        }
        return count ? 1.05 * distance : 3;
    }

    /** Fly to a point and look at it from `distance`, along `direction` or as now. */
    flyTo(point, distance, direction) {
        const from = { position: this.camera.position.clone(), target: this.controls.target.clone() };
        const way = direction ?? from.position.clone().sub(from.target).normalize();
        const to = { target: point.clone(), position: point.clone().addScaledVector(way, distance) };
        const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.flight = { from, to, start: performance.now(), duration: calm ? 1 : 450 };
        this.draw();
    }

    advanceFlight(now) {
        const { from, to, start, duration } = this.flight;
        const s = Math.min(1, Math.max(0, (now - start) / duration));
        const eased = s * s * (3 - 2 * s);
        this.camera.position.lerpVectors(from.position, to.position, eased);
        const target = new Vector3().lerpVectors(from.target, to.target, eased);
        if (s >= 1) this.flight = null;
        this.controls.target.copy(target);
        this.controls.update();
        if (this.flight) this.draw();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.holder;
        if (!width || !height) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.fov = width < height ? 60 : 40;
        this.draw();
    }

    /** Draw before the next repaint. */
    draw() {
        if (this.waiting) return;
        this.waiting = requestAnimationFrame((now) => {
            this.waiting = 0;
            if (this.playing) this.watchSpeed(now);
            if (this.flight) this.advanceFlight(now);
            const distance = this.camera.position.distanceTo(this.controls.target);
            this.camera.near = distance / 200;
            this.camera.far = distance + 50;
            this.camera.updateProjectionMatrix();
            this.renderer.render(this.scene, this.camera);
            this.frames++;
        });
    }

    // ---- the mouse

    /** A click without a drag calls back with the triangle under the pointer, and the point. */
    listenForPicks(onpick) {
        let down = null;
        this.canvas.addEventListener("pointerdown", (event) => (down = [event.clientX, event.clientY]));
        this.canvas.addEventListener("pointerup", (event) => {
            if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4 || !this.topology)
                return;
            onpick(this.hitAt(event));
        });
    }

    casterAt(event) {
        const box = this.canvas.getBoundingClientRect();
        const at = new Vector2(
            ((event.clientX - box.left) / box.width) * 2 - 1,
            1 - ((event.clientY - box.top) / box.height) * 2,
        );
        const caster = new Raycaster();
        caster.setFromCamera(at, this.camera);
        return caster;
    }

    /** The ray from the camera through the pointer. */
    rayAt(event) {
        return this.casterAt(event).ray;
    }

    /** The triangle under the pointer, and the point on it; null: none. */
    hitAt(event) {
        if (!this.topology) return null;
        this.mesh.geometry.boundingSphere = this.mesh.geometry.boundingBox = null;
        const clip = this.renderer.clippingPlanes[0];
        const hit = this.casterAt(event)
            .intersectObject(this.mesh, false)
            .find(({ point }) => !clip || clip.distanceToPoint(point) >= 0);
        return hit ? { triangle: hit.faceIndex, point: hit.point } : null;
    }
}

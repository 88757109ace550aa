// The page: put its parts together, and keep them in step.
import { Vector3 } from "three";
import {
    BadReport,
    Meshes,
    decodeContacts,
    decodeMarks,
    interpolate,
    isContinuous,
    parseReport,
} from "./data.js";
import { makeCharts } from "./charts.js";
import { checkbox, choice, element } from "./dom.js";
import { Filters } from "./filters.js";
import { findGround } from "./ground.js";
import { liveData, makeLivePage } from "./live.js";
import { readLink, makeLink, writeLink } from "./link.js";
import { ContactList } from "./list.js";
import { defectEdges, featuresOf, markTriangles } from "./marks.js";
import { Player } from "./player.js";
import { makeMeshTable, makePairTable } from "./tables.js";
import { decodeTrees, hasTrees, treeKey } from "./trees.js";
import { View, webglProblem } from "./view.js";
import { answer, frameTime, leftOut, makeBodyName, sum } from "./words.js";

class Page {
    constructor(report, text) {
        this.report = report;
        this.text = text;
        this.steps = report.summary.steps;
        this.bodyName = makeBodyName(report);
        this.meshes = new Meshes(report);
        this.selected = null;
        this.byBody = true;
        this.cache = { step: -1 };
        this.player = new Player(
            Math.max(1, this.steps.length),
            (step, part) => (this.steps.length ? frameTime(report, step, part) : 0),
            () => this.timeChanged(),
            (playing) => this.playingChanged(playing),
        );
        this.filters = new Filters(report, this.bodyName, () => this.filterChanged());
        this.list = new ContactList(report, this.bodyName, (i) => this.select(this.player.step, i));
        this.charts = makeCharts(report, (step) => {
            this.player.pause();
            this.selected = null;
            this.player.set(step + 1);
        });
    }

    // ---- building

    build(root) {
        const message = (text) => element("p", { class: "warning", role: "note" }, text);
        this.holder = element("div", { class: "view" });
        this.status = element("p", { class: "status", role: "status" });
        const head = element(
            "header",
            {},
            element("h1", {}, answer(this.report)),
            ...leftOut(this.report).map(message),
        );
        if (!this.steps.length) {
            root.replaceChildren(
                head,
                message(
                    "There is nothing to show. Give fracas detect one frame, or two frames or more for a motion.",
                ),
            );
            return;
        }
        const aside = element(
            "aside",
            {},
            this.makeSteppers(),
            this.filters.form,
            this.list.title,
            this.list.rows,
        );
        const stage = element(
            "div",
            { class: "stage" },
            this.makeTools(),
            this.holder,
            this.player.controls,
            this.status,
        );
        root.replaceChildren(
            head,
            element("div", { class: "work" }, stage, aside),
            this.charts.section,
            element(
                "section",
                { class: "tables" },
                makePairTable(this.report, this.bodyName, ({ a, b, first_step }) =>
                    this.showPair(a, b, first_step),
                ),
                makeMeshTable(this.report, this.bodyName),
            ),
            this.makeFoot(),
        );
        this.openView(message);
        addEventListener("hashchange", () => this.follow(readLink()));
        addEventListener("keydown", (event) => this.key(event));
        this.follow(readLink());
    }

    openView(message) {
        const problem =
            webglProblem() ??
            (this.meshes.keys.length
                ? null
                : "This page has no meshes, so that only the contacts are drawn.");
        if (problem && !problem.startsWith("This page")) {
            this.holder.append(message(problem));
            this.holder.classList.add("empty");
            return;
        }
        this.view = new View(this.holder, (hit) => this.pick(hit));
        if (problem) this.status.textContent = problem;
    }

    makeTools() {
        const apply =
            (method) =>
            (...values) =>
                this.view?.[method](...values);
        let axis = "",
            place = 0;
        const section = () => {
            cut.hidden = !axis;
            apply("setSection")(axis, place);
        };
        const cut = element("input", {
            type: "range",
            min: -1,
            max: 1,
            step: 0.005,
            value: 0,
            hidden: true,
            "aria-label": "Place of the section",
            oninput: () => {
                place = Number(cut.value);
                section();
            },
        });
        let up = this.report.up ?? "y";
        return element(
            "div",
            { class: "tools" },
            choice(
                "colour",
                [
                    ["body", "by body"],
                    ["plain", "plain"],
                    ...(hasTrees(this.report)
                        ? [
                              ["depth", "by tree depth"],
                              ["parts", "certified parts"],
                          ]
                        : []),
                ],
                (value) => {
                    this.byBody = value !== "plain";
                    this.treeColors = value === "depth" || value === "parts" ? value : null;
                    this.refresh(true);
                },
                "body",
            ),
            (this.treeKey = element("span", { class: "note tree-key" })),
            choice(
                "section",
                [
                    ["", "none"],
                    ["x", "x"],
                    ["y", "y"],
                    ["z", "z"],
                ],
                (value) => {
                    axis = value;
                    section();
                },
                "",
            ),
            cut,
            choice(
                "up",
                [
                    ["y", "y"],
                    ["z", "z"],
                ],
                (value) => apply("home")((up = value)),
                up,
            ),
            checkbox("wireframe", false, apply("setWireframe")),
            checkbox("see through", false, apply("setTransparent")),
            checkbox("open edges", false, (on) => {
                this.showDefects = on;
                this.refresh(false);
            }),
            element("button", { type: "button", onclick: () => apply("home")(up) }, "whole scene"),
        );
    }

    makeSteppers() {
        const button = (text, label, direction) =>
            element(
                "button",
                { type: "button", "aria-label": label, onclick: () => this.go(direction) },
                text,
            );
        const copied = element("span", { class: "note", role: "status" });
        const copy = element(
            "button",
            {
                type: "button",
                onclick: async () => {
                    const link = location.href.replace(/#.*/, "") + makeLink(this.place());
                    try {
                        await navigator.clipboard.writeText(link);
                        copied.textContent = "copied";
                    } catch {
                        prompt("The link to this contact:", link);
                    }
                    setTimeout(() => (copied.textContent = ""), 2000);
                },
            },
            "copy link",
        );
        return element(
            "div",
            { class: "steppers" },
            button("‹ previous", "Previous contact", -1),
            button("next ›", "Next contact", 1),
            copy,
            copied,
        );
    }

    makeFoot() {
        const save = () => {
            const url = URL.createObjectURL(new Blob([this.text], { type: "application/json" }));
            const link = element("a", {
                href: url,
                download: `${this.report.title || "fracas"}-report.json`,
            });
            link.click();
            setTimeout(() => URL.revokeObjectURL(url), 1000);
        };
        return element(
            "footer",
            {},
            element("button", { type: "button", class: "save", onclick: save }, "Save the data as JSON"),
            element(
                "span",
                { class: "note" },
                `Fracas ${this.report.fracas}. Positions on this page are rounded to 16 bits for each body; contacts were decided exactly, on the numbers of the files. `,
                "Keys: space plays, ← → step, p and n go to the previous and next contact.",
            ),
        );
    }

    // ---- state

    /** Decoded contacts of a step, and which of them the filters allow. */
    contactsOf(step) {
        if (this.cache.step !== step)
            this.cache = {
                step,
                contacts: decodeContacts(this.report, step),
                marks: decodeMarks(this.report, step),
                chosen: null,
            };
        if (!this.cache.chosen) {
            const { contacts } = this.cache;
            this.cache.chosen = [];
            for (let i = 0; i < contacts.count; i++)
                if (this.filters.allows(contacts, i, step)) this.cache.chosen.push(i);
        }
        return this.cache;
    }

    place() {
        return {
            frame: this.selected === null ? this.player.time : this.player.step,
            contact: this.selected,
        };
    }

    timeChanged() {
        if (this.selected !== null && (this.player.step !== this.shownStep || !this.fixed))
            this.selected = null;
        this.refresh(false);
    }

    playingChanged(playing) {
        this.view?.setPlaying(playing);
        if (!playing) this.refresh(false);
    }

    filterChanged() {
        this.cache.chosen = null;
        this.selected = null;
        this.refresh(true);
    }

    showPair(a, b, step) {
        this.player.pause();
        this.player.set(step + 1, true);
        this.filters.setPair(a, b);
        this.holder.scrollIntoView({ block: "nearest" });
    }

    follow({ frame, contact }) {
        if (frame === null) {
            // Begin with the first contact.
            const first = this.steps.findIndex((step) => sum(step) > 0);
            this.player.set(first < 0 ? 0 : first + 1);
            return;
        }
        this.player.pause();
        const step = Math.min(Math.floor(frame), this.steps.length - 1);
        if (contact !== null && contact < this.report.contacts[step].written)
            this.select(step, Math.floor(contact));
        else this.player.set(Number.isInteger(frame) && contact !== null ? frame + 1 : frame);
    }

    key(event) {
        if (
            /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) ||
            event.ctrlKey ||
            event.metaKey ||
            event.altKey
        )
            return;
        const actions = {
            ArrowLeft: () => this.player.go(-1),
            ArrowRight: () => this.player.go(1),
            n: () => this.go(1),
            p: () => this.go(-1),
        };
        if (event.key === " " && event.target.tagName !== "BUTTON") actions[" "] = () => this.player.toggle();
        if (!actions[event.key]) return;
        event.preventDefault();
        actions[event.key]();
    }

    // ---- contacts

    /** Go to the next or previous contact that the filters allow, in this step or another. */
    go(direction) {
        this.player.pause();
        let step = this.player.step;
        const { chosen } = this.contactsOf(step);
        const at =
            this.selected === null ? (direction > 0 ? -1 : chosen.length) : chosen.indexOf(this.selected);
        if (chosen[at + direction] !== undefined) return this.select(step, chosen[at + direction]);
        for (step += direction; step >= 0 && step < this.steps.length; step += direction) {
            if (!this.report.contacts[step].written || !this.filters.allowsStep(step)) continue;
            const { chosen: others } = this.contactsOf(step);
            if (others.length) return this.select(step, others.at(direction > 0 ? 0 : -1));
        }
        this.status.textContent =
            direction > 0 ? "There is no later contact." : "There is no earlier contact.";
    }

    /** Show a contact at its time, and fly there. */
    select(step, i) {
        this.player.pause();
        const { contacts } = this.contactsOf(step);
        this.selected = i;
        this.player.set(step + (isContinuous(contacts.kind[i]) ? Math.max(contacts.toi[i], 1e-6) : 1), true);
        this.refresh(false);
        this.fly(contacts, i);
    }

    fly(contacts, i) {
        if (!this.view) return;
        const { view } = this;
        const point = new Vector3(contacts.x[i], contacts.y[i], contacts.z[i]);
        let size = 0;
        const corners = this.motion ? featuresOf(this.motion.topology, contacts, i).flat() : [];
        for (const v of corners) size = Math.max(size, view.vertex(v).distanceTo(point));
        // Look along the surfaces that meet, a little from the side of a, so that both sides are seen.
        const way = view.camera.position.clone().sub(view.controls.target).normalize();
        const normal = new Vector3(contacts.nx[i], contacts.ny[i], contacts.nz[i]);
        const across = Math.min(0.8, Math.max(-0.8, normal.dot(way)));
        way.addScaledVector(normal, 0.35 - across).normalize();
        view.flyTo(point, Math.min(3, Math.max(10 * size, 0.02)), way);
    }

    /** A click in the view: the contact of the triangle that is nearest to the point. */
    pick(hit) {
        if (!hit || !this.motion) return;
        const { topology } = this.motion;
        const step = this.player.step;
        const body = topology.triangleBegins.findLastIndex(
            (begin, b) => b < topology.bodies && begin <= hit.triangle,
        );
        const number = hit.triangle - topology.triangleBegins[body];
        const { contacts, chosen } = this.contactsOf(step);
        const corners = new Set(topology.indices.subarray(3 * hit.triangle, 3 * hit.triangle + 3));
        let best = null,
            least = Infinity;
        for (const i of chosen) {
            const sides = featuresOf(topology, contacts, i);
            if (!sides.some((side) => side.length && side.every((v) => corners.has(v)))) continue;
            const distance = Math.hypot(
                contacts.x[i] - hit.point.x,
                contacts.y[i] - hit.point.y,
                contacts.z[i] - hit.point.z,
            );
            if (distance < least) [best, least] = [i, distance];
        }
        if (best !== null) this.select(step, best);
        this.status.textContent = `Triangle ${number} of ${this.bodyName(body)}${best === null ? ": no listed contact in this step" : ""}.`;
    }

    // ---- drawing

    /** Bring everything to the current time. `all`: also what depends on colours and filters. */
    refresh(all) {
        const { step, time, playing } = this.player;
        const cache = this.contactsOf(step);
        const changed = all || step !== this.shownStep;
        this.shownStep = step;
        this.refreshList(step, cache, all, playing);
        if (this.view) this.drawMeshes(step, time, cache, changed);
        if (this.view) this.drawContacts(step, time, cache, changed);
        if (!playing) this.remember();
    }

    /** Keep the state in the address. */
    remember() {
        writeLink(this.place());
    }

    // List and charts; while the player runs only a few times per second.
    refreshList(step, { contacts, chosen }, all, playing) {
        const now = performance.now();
        if (playing && now - this.listTime < 400) return;
        if (all || step !== this.listStep) {
            this.list.show(contacts, chosen, step, this.report.contacts[step].found, this.selected);
            this.status.textContent = "";
            this.charts.setStep(step);
        } else if (this.selected !== this.listSelection) this.list.select(this.selected);
        this.listTime = now;
        this.listStep = step;
        this.listSelection = this.selected;
    }

    drawMeshes(step, time, { contacts, chosen, marks }, changed) {
        const key = this.meshes.at(step);
        const before = this.motion?.topology;
        this.motion = key;
        if (!key) return;
        // Vertices inside of volumes are no points.
        this.view.setTopology(key.topology, this.byBody, !this.report.summary.totals.tets);
        this.view.setPositions((out) => interpolate(key, time, out));
        if (key.topology !== before) this.lookFor(key, !before);
        if (changed || key.topology !== before) {
            const known = marks && marks.topology === key.topology.index;
            if (this.filters.active) this.view.setMarked(markTriangles(key.topology, contacts, chosen));
            else this.view.setMarked(known ? marks.triangles : []);
        }
        if (changed || key.topology !== before) this.drawTrees(step, key.topology);
        if (this.showDefects && this.defects?.topology !== key.topology)
            this.defects = { topology: key.topology, edges: defectEdges(key.topology) };
        this.view.setLines(this.view.defects, this.showDefects ? this.lines(this.defects.edges) : []);
    }

    /** With an upward axis the camera sees the bodies, not the whole ground. */
    lookFor(key, first) {
        const { up } = this.report;
        if (up) this.view.ground = findGround(key.topology, key.from, up);
        if (!first) return;
        if (up) this.view.up = up;
        this.view.measure();
    }

    /** Colours of the trees, if they are chosen and known for the mesh that is drawn. */
    drawTrees(step, topology) {
        const trees = this.treeColors ? decodeTrees(this.report, step) : null;
        const known = trees && trees.topology === topology.index;
        const classes = known ? trees[this.treeColors === "depth" ? "depths" : "parts"] : null;
        this.view.tinted.show(this.treeColors, classes);
        if (!this.treeColors) this.treeKey.replaceChildren();
        else this.treeKey.replaceChildren(...(known ? treeKey(this.treeColors, classes) : ["not known here"]));
    }

    /** Coordinates of pairs of vertices. */
    lines(vertices) {
        return vertices.flatMap((v) => this.view.vertex(v).toArray());
    }

    drawContacts(step, time, { contacts, chosen }, changed) {
        const { view } = this;
        const past = chosen.filter(
            (i) => !isContinuous(contacts.kind[i]) || step + contacts.toi[i] <= time + 1e-6,
        );
        if (changed || past.length !== this.drawn || this.drawnStep !== step) {
            const dots = [],
                curves = [];
            for (const i of past) {
                const n = contacts.corners[i],
                    at = 3 * contacts.begins[i];
                if (n < 2) dots.push(contacts.x[i], contacts.y[i], contacts.z[i]);
                for (let k = 0; n >= 2 && k < (n === 2 ? 1 : n); k++)
                    for (const c of [k, (k + 1) % n])
                        curves.push(...contacts.points.subarray(at + 3 * c, at + 3 * c + 3));
            }
            view.setPoints(view.dots, dots);
            view.setLines(view.curves, curves);
            this.drawn = past.length;
            this.drawnStep = step;
        }
        this.drawSelection(contacts);
    }

    drawSelection(contacts) {
        const { view, selected } = this;
        const sides =
            selected === null || !this.motion
                ? [[], []]
                : featuresOf(this.motion.topology, contacts, selected);
        sides.forEach((side, s) => {
            const outline =
                side.length === 3
                    ? [side[0], side[1], side[1], side[2], side[2], side[0]]
                    : side.length === 2
                      ? side
                      : [];
            view.setLines(s ? view.sideB : view.sideA, this.lines(outline));
        });
        view.setPoints(
            view.spot,
            selected === null ? [] : [contacts.x[selected], contacts.y[selected], contacts.z[selected]],
        );
    }
}

function start() {
    const root = document.getElementById("page");
    const say = (text) =>
        root.replaceChildren(
            element("h1", {}, "This report cannot be shown"),
            element("p", { class: "warning", role: "alert" }, text),
        );
    try {
        const text = document.getElementById("report")?.textContent ?? "";
        const live = liveData(text);
        const page = live ? new (makeLivePage(Page))(live) : new Page(parseReport(text), text);
        page.build(root);
        window.fracas = page; // for tests and the console of the browser
    } catch (error) {
        if (!(error instanceof BadReport)) console.error(error);
        say(
            error instanceof BadReport
                ? error.message
                : `The page failed: ${error.message}. The data may be damaged; write it again with --report.`,
        );
    }
}

start();

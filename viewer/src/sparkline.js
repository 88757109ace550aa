// A small curve of the last numbers.
import { element } from "./dom.js";

const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 120,
    HEIGHT = 24;

export class Sparkline {
    constructor(label) {
        this.values = [];
        this.line = document.createElementNS(SPACE, "polyline");
        const picture = document.createElementNS(SPACE, "svg");
        picture.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
        picture.append(this.line);
        this.picture = element("span", { class: "sparkline", role: "img", "aria-label": label, title: label }, picture);
    }

    add(value) {
        this.values = [...this.values.slice(1 - WIDTH), value];
        this.draw();
    }

    clear() {
        this.values = [];
        this.draw();
    }

    draw() {
        const most = Math.max(1e-3, ...this.values);
        const points = this.values.map((value, i) => `${i},${HEIGHT - 1 - ((HEIGHT - 2) * value) / most}`);
        this.line.setAttribute("points", points.join(" "));
    }
}

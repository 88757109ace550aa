// Shared by the tests of the page: run the program, open reports in Chromium, watch for errors.
// Environment: FRACAS_PROGRAM, FRACAS_NODE_MODULES (folder of node_modules), FRACAS_SHOTS (folder for pictures).
import { execFileSync, spawn } from "node:child_process";
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    readdirSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(path.join(process.env.FRACAS_NODE_MODULES, "package.json"))(
    "playwright-core",
);

export const folder = mkdtempSync(path.join(os.tmpdir(), "fracas-report-"));
export const shots = process.env.FRACAS_SHOTS ?? folder;
mkdirSync(shots, { recursive: true });

export function findBrowser() {
    const names = [
        process.env.FRACAS_CHROMIUM,
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    return names.find((name) => name && existsSync(name));
}

/** Run the program in the folder; returns what it prints. */
export function fracas(...words) {
    return execFileSync(process.env.FRACAS_PROGRAM, words, { cwd: folder, encoding: "utf8" });
}

const servers = [];

/** Start `fracas play`; resolves with {address, stop}. stop() resolves with {code, out, error}. */
export function play(...words) {
    const child = spawn(process.env.FRACAS_PROGRAM, ["play", ...words, "--no-open"], { cwd: folder });
    let out = "",
        error = "";
    const ended = new Promise((resolve) => child.on("close", (code) => resolve({ code, out, error })));
    const stop = () => {
        child.kill("SIGINT");
        return ended;
    };
    servers.push(stop);
    child.stderr.on("data", (text) => (error += text));
    return new Promise((resolve, reject) => {
        child.on("close", () => reject(new Error(`fracas play ended: ${error}`)));
        child.stdout.on("data", (text) => {
            out += text;
            const address = / is at (http:\S+)/.exec(out)?.[1];
            if (address) resolve({ address, stop });
        });
    });
}

const launched = new Map();

/** A browser without a GPU; `webgl` false: also without the software renderer. */
async function browser(webgl) {
    if (!launched.has(webgl)) {
        const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu-compositing"];
        args.push(
            ...(webgl ? ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] : ["--disable-3d-apis"]),
        );
        launched.set(webgl, await chromium.launch({ executablePath: findBrowser(), args }));
    }
    return launched.get(webgl);
}

/** Close the pages of a test, so that they cost the next one no time. */
export async function closePages() {
    for (const one of launched.values()) for (const context of one.contexts()) await context.close();
}

export async function finish() {
    for (const one of launched.values()) await one.close();
    for (const stop of servers) await stop();
    rmSync(folder, { recursive: true, force: true });
}

/** Open a file of the folder. */
export const open = (name, { hash = "", ...options } = {}) =>
    openAddress(pathToFileURL(path.join(folder, name)).href + hash, options);

/** `page.problems` lists messages of the console, errors, and requests of any other server. */
export async function openAddress(
    address,
    { width = 1280, height = 800, scheme = "light", webgl = true, touch = false } = {},
) {
    const { host } = new URL(address);
    const context = await (
        await browser(webgl)
    ).newContext({
        viewport: { width, height },
        colorScheme: scheme,
        hasTouch: touch,
        acceptDownloads: true,
    });
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => {
        // Chromium reports slow reads of the canvas by screenshots as a warning.
        if (!/GPU stall due to ReadPixels/.test(message.text())) page.problems.push(message.text());
    });
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("request", (request) => {
        const url = new URL(request.url());
        if (!/^(file|data|blob):/.test(url.protocol) && (!host || url.host !== host))
            page.problems.push(`request of ${request.url()}`);
    });
    page.on("websocket", (socket) => {
        if (new URL(socket.url()).host !== host) page.problems.push(`websocket to ${socket.url()}`);
    });
    await page.goto(address);
    await page.waitForFunction(() => document.querySelector("h1"));
    return page;
}

/** Processor time in milliseconds that all processes of Chromium have used. */
export function processorTime() {
    let ticks = 0;
    for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
        try {
            if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("chrom")) continue;
            const fields = readFileSync(`/proc/${id}/stat`, "utf8").split(") ").at(-1).split(" ");
            ticks += Number(fields[11]) + Number(fields[12]);
        } catch {
            // The process has ended.
        }
    return 10 * ticks;
}

/** Wait until nothing has been drawn for a while: the camera rests. */
export async function rest(page) {
    let last = -1;
    for (let i = 0; i < 100; i++) {
        const frames = await page.evaluate(() => window.fracas.view.frames);
        if (frames === last) return;
        last = frames;
        await page.waitForTimeout(150);
    }
    throw new Error("the view does not come to rest");
}

export const camera = (page) => page.evaluate(() => window.fracas.view.camera.position.toArray());

const DATA = /(<script type="application\/json" id="report">)([^]*?)(<\/script>)/;

/** The text of the data of a report. */
export const dataOf = (name) => DATA.exec(readFileSync(path.join(folder, name), "utf8"))[2];

/** Write a copy of a report with other data. */
export function rewrite(name, copy, change) {
    const html = readFileSync(path.join(folder, name), "utf8");
    writeFileSync(
        path.join(folder, copy),
        html.replace(DATA, (_, begin, data, end) => begin + change(data) + end),
    );
}

/** A box with a corner at (x, y, z), as OFF. */
export function writeBox(name, [x, y, z], [a, b, c]) {
    const points = [];
    for (const k of [0, c])
        for (const j of [0, b]) for (const i of [0, a]) points.push(`${x + i} ${y + j} ${z + k}`);
    const faces = "0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5".split(" ");
    const lines = faces.flatMap((_, i) => (i % 3 ? [] : [`3 ${faces.slice(i, i + 3).join(" ")}`]));
    writeFileSync(path.join(folder, name), ["OFF", "8 12 0", ...points, ...lines, ""].join("\n"));
}

// The pages of `fracas bench NAME --report` in a real browser: every number of the run is in its charts.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { closePages, dataOf, findBrowser, finish, folder, fracas, open, rewrite, shots } from "./kit.mjs";

const benches = path.join(path.dirname(process.env.FRACAS_PROGRAM), "../bench");
if (!findBrowser() || !existsSync(path.join(benches, "fracas-bench-fastcd"))) {
    console.log("skipped: no Chromium, or no benchmarks");
    process.exit(77);
}

const clean = (page) => assert.deepEqual(page.problems, []);
const bars = (page, figure) =>
    page.$$eval(`[data-figure="${figure}"] .row`, (rows) =>
        rows.map((row) => [row.dataset.series, row.querySelector(".value").textContent]),
    );
const points = (page, figure) => page.locator(`[data-figure="${figure}"] .point`).count();

const hasEmbree = (page) =>
    page.evaluate(() => (window.fracasBench.result.embree ? 1 : 0));

/** Run a benchmark and open its page; the result is the data of the page. */
async function measure(name, ...words) {
    fracas("bench", name, ...words, "--report", `${name}.html`);
    const page = await open(`${name}.html`);
    return { page, data: JSON.parse(dataOf(`${name}.html`)) };
}

afterEach(closePages);
after(finish);

test("FASTCD: published numbers beside those of the run", async () => {
    const { page, data } = await measure(
        "fastcd",
        "--scene",
        "exploding-dragon",
        "--size",
        "500",
        "--frames",
        "32",
    );
    const { scenes } = data.result;
    assert.match(
        await page.textContent("h1"),
        /^FASTCD as published takes .* times as long as Fracas, in 2 scenes\.$/,
    );
    const ms = (mode, name) =>
        scenes.find((one) => one.mode === mode).methods.find((one) => one.method === name);
    const times = await bars(page, "fastcd-times");
    assert.deepEqual(
        times.map(([series]) => series),
        ["published", "as-published", "ours", "published", "as-published", "ours"],
    );
    assert.deepEqual([times[0][1], times[3][1]], ["252", "715"]);
    assert.equal(Number(times[4][1]), Number(ms("continuous", "published").mean_ms.toPrecision(3)));
    assert.equal(Number(times[2][1]), Number(ms("discrete", "fracas").mean_ms.toPrecision(3)));
    const six = await bars(page, "fastcd-figure-6");
    assert.deepEqual(
        six.filter(([series]) => series === "published").map(([, text]) => text),
        ["1.27", "1.84", "260", "200"],
    );
    const ratio = ms("continuous", "t-ccd").topology_ms / ms("continuous", "published").topology_ms;
    assert.equal(Number(six[7][1]), Number(ratio.toPrecision(3)));
    // Scenes that were not run have no charts of published numbers alone.
    assert.equal(await page.locator('[data-figure="fastcd-figure-8"]').count(), 0);
    for (const { scene, mode, methods } of scenes)
        assert.equal((await bars(page, `fastcd-${scene}-${mode}`)).length, methods.length);
    assert.match(await page.textContent("header"), /fracas bench fastcd --scene exploding-dragon/);
    assert.match(await page.textContent("header"), /i7, 3\.2 GHz/);
    clean(page);
});

test("PCCD: a point for each scheduler and number of threads", async () => {
    const { page, data } = await measure(
        "pccd",
        "--scene",
        "n-body",
        "--size",
        "2000",
        "--frames",
        "3",
        "--threads",
        "1,2",
    );
    const [{ lanes }] = data.result.scenes;
    assert.equal(await points(page, "pccd-ms-n-body"), lanes.length);
    // And the two of the paper, on one and on eight cores.
    assert.equal(await points(page, "pccd-figure-7-n-body"), lanes.length + 2);
    assert.equal((await bars(page, "pccd-figure-8")).length, 8);
    clean(page);
});

test("spatial hashing: tables, sizes of tables and of cells", async () => {
    const { page, data } = await measure("teschner", "--steps", "1", "--rounds", "1");
    const { setups, tables, cells, variants, scaling } = data.result;
    const table = await bars(page, "teschner-table-2");
    assert.equal(table.length, 15);
    assert.match(table[0][1], /^4\.3 \(4\.1 to 6\.5\)$/);
    const way = setups[0].ways.find((one) => one.way === "as published");
    assert.ok(table[1][1].startsWith(String(Number(way.mean.toPrecision(3)))));
    for (const run of tables)
        assert.equal(await points(page, `teschner-figure-3-${run.setup}`), run.ways.length);
    for (const run of cells)
        assert.equal(
            await points(page, `teschner-figure-5-${run.setup}`),
            run.ways.filter((one) => one.way.endsWith(" edges")).length,
        );
    assert.equal((await bars(page, "teschner-variants-D")).length, variants[0].ways.length);
    assert.equal(await points(page, "teschner-scaling"), scaling.flatMap((run) => run.ways).length);
    clean(page);
});

test("benchmarks without a figure have charts of their own numbers", async () => {
    const { page, data } = await measure("misses", "--compare", "5");
    assert.equal((await bars(page, "misses-share")).length, data.result.rows.length);
    clean(page);
    // This one prints text, which is on the page, too.
    const text = await measure("separation", "--size", "10");
    assert.equal(await points(text.page, "separation-ns"), 24);
    assert.equal(await text.page.textContent("pre"), text.data.text);
    assert.match(await text.page.textContent("h1"), /^A candidate without a hit takes .* ns\.$/);
    clean(text.page);
});

test("all numbers are in tables, and can be saved", async () => {
    const { page, data } = await measure("cull", "--size", "1000", "--frames", "2");
    await page.click("summary");
    const table = page.locator(".numbers").first();
    assert.equal(await table.locator("tbody tr").count(), data.result.modes.length);
    assert.match(await table.locator("thead").textContent(), /ms: update/);
    assert.ok(await table.locator("td").first().isVisible());
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(".save")]);
    assert.equal(readFileSync(await download.path(), "utf8"), dataOf("cull.html"));
    clean(page);
});

test("says what is wrong with the data, and that a result was wrong", async () => {
    for (const [text, wanted] of [
        ["", /has no data/],
        ['{"format":1,', /cut off/],
        ['{"format":7}', /format 7/],
    ]) {
        rewrite("cull.html", "broken.html", () => text);
        const page = await open("broken.html");
        assert.match(await page.textContent("main"), wanted);
    }
    rewrite("cull.html", "failed.html", (data) => data.replace('"status":0', '"status":1'));
    const failed = await open("failed.html");
    assert.match(await failed.textContent('[role="alert"]'), /exit status 1/);
    // A benchmark that the page does not know has its numbers in tables.
    rewrite("cull.html", "unknown.html", (data) => data.replace('"benchmark":"cull"', '"benchmark":"new"'));
    const unknown = await open("unknown.html");
    assert.match(await unknown.textContent("h1"), /^What was measured: /);
    assert.equal(await unknown.locator(".numbers").count(), 2 + (await hasEmbree(unknown)));
    clean(unknown);
});

test("is legible on a desktop and on a phone, light and dark", async () => {
    for (const [device, size] of [
        ["desktop", { width: 1280, height: 800 }],
        ["phone", { width: 390, height: 844, touch: true }],
    ])
        for (const scheme of ["light", "dark"])
            for (const name of ["fastcd", "teschner"]) {
                const page = await open(`${name}.html`, { ...size, scheme });
                await page.waitForSelector(".figure");
                await page.screenshot({
                    path: path.join(shots, `bench-${name}-${device}-${scheme}.png`),
                    fullPage: true,
                });
                const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
                assert.equal(wide, false, `${device}: nothing is wider than the screen`);
                const colours = await page.evaluate(() => {
                    const style = getComputedStyle(document.body);
                    return [style.color, style.backgroundColor];
                });
                assert.notEqual(colours[0], colours[1]);
                clean(page);
            }
});

// The page of `fracas play` in a real browser: it shows what the server reports, its buttons work,
// and bodies can be dragged.
import assert from "node:assert/strict";
import path from "node:path";
import { after, afterEach, test } from "node:test";
import { closePages, findBrowser, finish, openAddress, play, rest, shots } from "./kit.mjs";

if (!findBrowser()) {
    console.log("skipped: no Chromium");
    process.exit(77);
}

const clean = (page) => assert.deepEqual(page.problems, []);
const shown = (page, name) => page.evaluate((key) => window.fracas.shown[key], name);

/** Open the page and wait for the first frame. */
async function openLive(address, options) {
    const page = await openAddress(address, options);
    await page.waitForFunction(() => window.fracas.shown.frame > 0);
    return page;
}

const reach = (page, step) => page.waitForFunction((n) => window.fracas.shown.step >= n, step);

/** Where a point of the scene is on the screen. */
const project = (page, point) =>
    page.evaluate(([x, y, z]) => {
        const { view } = window.fracas;
        view.camera.updateMatrixWorld();
        const at = view.vertex(0).set(x, y, z).project(view.camera);
        const box = view.canvas.getBoundingClientRect();
        return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
    }, point);

/** The middle of each body: [{body, fixed, at}]. */
const middles = (page) =>
    page.evaluate(() => {
        const { topology, view, fixedBodies } = window.fracas;
        return Array.from({ length: topology.bodies }, (_, body) => {
            const begin = topology.vertexBegins[body],
                end = topology.vertexBegins[body + 1];
            const at = [0, 0, 0];
            for (let v = begin; v < end; v++)
                view.vertex(v)
                    .toArray()
                    .forEach((x, i) => (at[i] += x / (end - begin)));
            return { body, fixed: fixedBodies.has(body), at };
        });
    });

afterEach(closePages);
after(finish);

test("plays, pauses, steps and resets, and marks what the server reports", async () => {
    const { address, stop } = await play("wall");
    const page = await openLive(address);
    assert.equal(await page.textContent("h1"), "Scene wall, live");
    for (let step = 1; step <= 9; step++) {
        await page.click('[aria-label="Step"]');
        await reach(page, step);
        assert.equal(await shown(page, "step"), step);
        const marked = await shown(page, "marked");
        assert.equal(await page.evaluate(() => window.fracas.view.markedCount), marked);
        assert.ok(step < 8 || marked > 0, "the ball touches the wall");
    }
    assert.match(await page.textContent(".list-title"), /contacts in step 9$/);
    assert.ok((await page.locator("[data-contact]").count()) > 0);
    await page.click('[data-contact="0"]');
    await rest(page);
    assert.equal(await page.getAttribute('[data-contact="0"]', "aria-current"), "true");

    await page.click('[aria-label="Play"]');
    await reach(page, 12);
    await page.click('[aria-label="Pause"]');
    await page.waitForFunction(() => !window.fracas.player.playing);
    const paused = await shown(page, "step");
    await page.waitForTimeout(400);
    assert.equal(await shown(page, "step"), paused);
    assert.match(await page.textContent(".cost"), /^\d+\.\d ms a step, detection \d+\.\d ms/);

    await page.click('[aria-label="Reset"]');
    await page.waitForFunction(() => window.fracas.shown.step === 0);
    await page.click('[aria-label="Play"]');
    await page.waitForFunction(() => window.fracas.shown.ended);
    assert.equal(await shown(page, "step"), 30);
    assert.match(await page.textContent(".status"), /the scene has ended/);
    clean(page);
    const { code, out, error } = await stop();
    assert.equal(code, 0);
    assert.match(out, /^ended: \d+ steps, \d+ frames sent/m);
    assert.equal(error, "");
});

test("changes threads, culling and size, and says what is wrong", async () => {
    const { address } = await play("wall");
    const page = await openLive(address);
    const triangles = await shown(page, "triangles");
    await page.fill('[aria-label="size"]', "600");
    await page.press('[aria-label="size"]', "Enter");
    await page.waitForFunction((n) => window.fracas.shown.triangles < n, triangles);
    await page.selectOption('[aria-label="cull"]', "none");
    await page.waitForFunction(() => window.fracas.hello.settings.cull === "none");
    await page.fill('[aria-label="threads"]', "999");
    await page.press('[aria-label="threads"]', "Enter");
    await page.waitForSelector('.alerts [role="alert"]');
    assert.match(await page.textContent(".alerts"), /999 threads are too many/);
    assert.equal(await page.inputValue('[aria-label="threads"]'), "0");
    clean(page);
});

test("drags bodies and drops balls, and things break", async () => {
    const { address } = await play("interactive-bunnies");
    const page = await openLive(address);
    const before = (await middles(page)).filter(({ fixed }) => !fixed);
    assert.equal(before.length, 5);
    await rest(page);
    // Lift a bunny by the mouse, and let it fall. It is held before anything moves.
    const { body, at } = before.at(-1);
    const [x, y] = await project(page, at);
    await page.mouse.move(x, y);
    await page.mouse.down();
    assert.equal(await page.evaluate(() => window.fracas.view.controls.enabled), false);
    await page.keyboard.press(" ");
    await page.mouse.move(x, y - 60);
    await page.mouse.move(x + 10, y - 150, { steps: 3 });
    await page.waitForFunction(
        ([n, height]) => {
            const { topology, view } = window.fracas;
            return view.vertex(topology.vertexBegins[n]).z > height;
        },
        [body, at[2] + 0.1],
    );
    await page.mouse.up();
    assert.equal(await page.evaluate(() => window.fracas.view.controls.enabled), true);

    const bodies = await shown(page, "bodies");
    await page.selectOption('[aria-label="mouse"]', "drop");
    for (let i = 0; i < 2; i++) {
        const aim = (await middles(page)).filter(({ fixed }) => !fixed)[i].at;
        const [u, v] = await project(page, aim);
        await page.mouse.click(u, v);
        await page.waitForTimeout(120);
    }
    // A body that moves may be missed, the ground below it not.
    await page.waitForFunction((n) => window.fracas.shown.bodies > n, bodies);
    await page.waitForFunction(() => window.fracas.shown.broken > 0);
    await page.click('[aria-label="Pause"]');
    await page.waitForFunction(() => !window.fracas.player.playing);
    assert.equal(await page.evaluate(() => window.fracas.view.markedCount), await shown(page, "marked"));
    clean(page);
});

test("tells a page that another one has taken the scene, and takes it back", async () => {
    const { address } = await play("wall");
    const first = await openLive(address);
    const second = await openLive(address);
    await first.waitForSelector('.alerts [role="alert"]');
    assert.match(await first.textContent(".alerts"), /Another page shows this scene now/);
    await first.click(".alerts button");
    await second.waitForSelector('.alerts [role="alert"]');
    await first.click('[aria-label="Step"]');
    await reach(first, 1);
    for (const page of [first, second]) clean(page);
});

test("says when the program ends", async () => {
    const { address, stop } = await play("wall");
    const page = await openLive(address);
    await stop();
    await page.waitForSelector('.alerts [role="alert"]');
    assert.match(await page.textContent(".alerts"), /fracas play has ended/);
    clean(page);
});

test("is legible on a desktop and on a phone, light and dark", async () => {
    const { address } = await play("interactive-bunnies");
    for (const [device, size] of [
        ["desktop", { width: 1280, height: 800 }],
        ["phone", { width: 390, height: 844, touch: true }],
    ])
        for (const scheme of ["light", "dark"]) {
            const page = await openLive(address, { ...size, scheme });
            const from = await shown(page, "step");
            await page.click('[aria-label="Play"]');
            await reach(page, from + 20);
            await page.click('[aria-label="Pause"]');
            await rest(page);
            await page.screenshot({ path: path.join(shots, `live-${device}-${scheme}.png`) });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            assert.equal(wide, false, `${device}: nothing is wider than the screen`);
            clean(page);
        }
});

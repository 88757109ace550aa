// The picture of docs/report.md. usage: node picture.mjs OUTPUT.png, with the environment of kit.mjs
import { finish, fracas, open, rest } from "./kit.mjs";

fracas("scene", "breaking-walls", "--size", "40000", "--report", "page.html", "--quiet");
const page = await open("page.html", { width: 1240, height: 720, hash: "#frame=30" });
await page.evaluate(() => {
    const { view } = window.fracas;
    view.controls.target.set(0, 0.02, -0.1);
    view.camera.position.set(0.42, 0.24, -0.62);
    view.controls.update();
});
await rest(page);
await page.screenshot({ path: process.argv[2] });
await finish();

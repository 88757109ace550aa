// Bundle viewer/src into one HTML file, page.html, and that into an array in C, page.c.
// usage: node build.mjs FOLDER-OF-NODE_MODULES OUTPUT-FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

const [packages, output] = process.argv.slice(2).map((name) => path.resolve(name));
const source = path.join(path.dirname(fileURLToPath(import.meta.url)), "src");
const { build } = createRequire(path.join(packages, "package.json"))("esbuild");

async function bundle(entry) {
    const result = await build({
        absWorkingDir: source,
        entryPoints: [entry],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2020",
        charset: "utf8",
        legalComments: "inline",
        nodePaths: [path.join(packages, "node_modules")],
        logLevel: "warning",
    });
    return result.outputFiles[0].text;
}

// A closing tag inside a string of the script would end the script.
const script = (await bundle("main.js")).replaceAll("</script", "<\\/script");
const style = (await bundle("style.css")).replaceAll("</style", "<\\/style");
const html = readFileSync(path.join(source, "page.html"), "utf8")
    .replace("/* style */", () => style)
    .replace("/* script */", () => script);
writeFileSync(path.join(output, "page.html"), html);

// The data is inserted where this text is.
const place = "/* data */";
const at = html.indexOf(place);
if (at < 0 || html.indexOf(place, at + 1) >= 0) throw new Error(`page.html needs one ${place}`);

function array(name, text) {
    const bytes = Buffer.from(text, "utf8");
    let lines = "";
    for (let i = 0; i < bytes.length; i += 40) lines += bytes.subarray(i, i + 40).join(",") + ",\n";
    return `const unsigned char ${name}[] = {\n${lines}};\nconst unsigned long ${name}_size = sizeof ${name};\n`;
}
writeFileSync(
    path.join(output, "page.c"),
    "// Made by viewer/build.mjs.\n" +
        "extern const unsigned char cli_page_begin[], cli_page_end[];\n" +
        "extern const unsigned long cli_page_begin_size, cli_page_end_size;\n" +
        array("cli_page_begin", html.slice(0, at)) +
        array("cli_page_end", html.slice(at + place.length)),
);

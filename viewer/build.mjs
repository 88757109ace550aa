// Bundle viewer/src into two HTML files, page.html and bench.html, and those into arrays in C, page.c.
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

// The data is inserted where this text is.
const place = "/* data */";

// One page of a script, a style and the HTML around them: [before the data, after it].
async function makePage(name, entry, sheet) {
    // A closing tag inside a string of the script would end the script.
    const script = (await bundle(entry)).replaceAll("</script", "<\\/script");
    const style = (await bundle(sheet)).replaceAll("</style", "<\\/style");
    const html = readFileSync(path.join(source, name), "utf8")
        .replace("/* style */", () => style)
        .replace("/* script */", () => script);
    writeFileSync(path.join(output, name), html);
    const at = html.indexOf(place);
    if (at < 0 || html.indexOf(place, at + 1) >= 0) throw new Error(`${name} needs one ${place}`);
    return [html.slice(0, at), html.slice(at + place.length)];
}

function array(name, text) {
    const bytes = Buffer.from(text, "utf8");
    let lines = "";
    for (let i = 0; i < bytes.length; i += 40) lines += bytes.subarray(i, i + 40).join(",") + ",\n";
    return (
        `extern const unsigned char ${name}[];\nextern const unsigned long ${name}_size;\n` +
        `const unsigned char ${name}[] = {\n${lines}};\nconst unsigned long ${name}_size = sizeof ${name};\n`
    );
}
const [begin, end] = await makePage("page.html", "main.js", "style.css");
const [benchBegin, benchEnd] = await makePage("bench.html", "bench.js", "bench.css");
writeFileSync(
    path.join(output, "page.c"),
    "// Made by viewer/build.mjs.\n" +
        array("cli_page_begin", begin) +
        array("cli_page_end", end) +
        array("cli_bench_page_begin", benchBegin) +
        array("cli_bench_page_end", benchEnd),
);

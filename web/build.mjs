// Builds the page into crates/server/dist, which is committed so that `cargo run` needs no Node; it lies with the
// crate that embeds it, so that the crate can be packaged.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

const here = new URL(".", import.meta.url).pathname;
const out = process.argv[2] ?? `${here}../crates/server/dist`;

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
// Three pages, three bundles: none waits for another's.
for (const [source, name] of [
  ["main", "app"],
  ["amazons/main", "amazons"],
  ["gadgets/main", "gadgets"],
]) {
  await build({
    absWorkingDir: here,
    entryPoints: [`src/${source}.ts`],
    outfile: `${out}/${name}.js`,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
  });
}
for (const name of ["app", "amazons", "gadgets"]) {
  await build({
    absWorkingDir: here,
    entryPoints: [`src/style/${name}.css`],
    outfile: `${out}/${name}.css`,
    bundle: true,
    minify: true,
    target: ["es2022"],
    charset: "utf8",
    legalComments: "none",
  });
}
const icons = ["icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png"];
for (const file of ["index.html", "amazons.html", "gadgets.html", ...icons, "manifest.webmanifest"]) {
  await copyFile(`${here}src/static/${file}`, `${out}/${file}`);
}

// What a visitor downloads, art not counted.
for (const [page, files] of [
  ["the board", ["index.html", "app.js", "app.css"]],
  ["Amazons", ["amazons.html", "amazons.js", "amazons.css", "app.css"]],
  ["gadgets", ["gadgets.html", "gadgets.js", "gadgets.css", "app.css"]],
]) {
  let total = 0;
  for (const file of files) {
    const bytes = gzipSync(readFileSync(`${out}/${file}`), { level: 9 }).length;
    total += bytes;
    console.log(`${file}: ${bytes} bytes compressed`);
  }
  console.log(`${page}, together: ${total} bytes compressed`);
  if (total > 150_000) {
    console.error("the page is too heavy: at most 150,000 bytes compressed");
    process.exit(1);
  }
}

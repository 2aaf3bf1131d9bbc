// Writes the board as a folder of static files, with the program as WebAssembly: `cargo xtask site DIR` calls this.
//
//   node site.mjs OUT --rules FILE --module FILE [--threaded FILE] --tables DIR
//
// Names carry a hash of the contents, addresses are relative, and every file that gains by it has compressed copies
// beside it. The folder is written under another name and then put in its place.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rules: { type: "string" },
    module: { type: "string" },
    threaded: { type: "string" },
    tables: { type: "string" },
  },
});
const here = new URL(".", import.meta.url).pathname;
const out = positionals[0];
if (!out || !values.rules || !values.module || !values.tables) {
  console.error("usage: node site.mjs OUT --rules FILE --module FILE [--threaded FILE] --tables DIR");
  process.exit(2);
}
const fresh = `${out.replace(/\/+$/, "")}.new`;
rmSync(fresh, { recursive: true, force: true });
mkdirSync(join(fresh, "tables"), { recursive: true });

/** Tables of up to this many pieces come in one file for each set of rules. */
const BUNDLED = 3;
const BOUND = { bundle: true, minify: true, format: "esm", target: ["es2022"], charset: "utf8", legalComments: "none" };
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

/** Writes a file under a name that has its contents in it. */
function write(name, bytes) {
  const kind = extname(name);
  const named = `${basename(name, kind)}-${hash(bytes)}${kind}`;
  writeFileSync(join(fresh, named), bytes);
  return named;
}

async function bundle(source, name, options = {}) {
  const made = await build({ ...BOUND, absWorkingDir: here, entryPoints: [source], write: false, ...options });
  return write(name, made.outputFiles[0].contents);
}

// The parts that pages name.
const files = {
  "app.js": await bundle("src/main.ts", "app.js"),
  "amazons.js": await bundle("src/amazons/main.ts", "amazons.js"),
  "gadgets.js": await bundle("src/gadgets/main.ts", "gadgets.js"),
  "app.css": await bundle("src/style/app.css", "app.css"),
  "amazons.css": await bundle("src/style/amazons.css", "amazons.css"),
  "gadgets.css": await bundle("src/style/gadgets.css", "gadgets.css"),
};
const pages = ["index.html", "amazons.html", "gadgets.html"];
const program = {
  worker: await bundle("src/local/worker.ts", "worker.js"),
  rules: write("rules.wasm", readFileSync(values.rules)),
  module: write("mousetrap.wasm", readFileSync(values.module)),
  ...(values.threaded && { threaded: write("mousetrap-threads.wasm", readFileSync(values.threaded)) }),
  tables: "tables/",
};
for (const page of pages) {
  let text = readFileSync(join(here, "src/static", page), "utf8");
  for (const [name, named] of Object.entries(files)) text = text.replaceAll(`"${name}"`, `"${named}"`);
  const meta = JSON.stringify(program).replaceAll('"', "&quot;");
  const head =
    `<meta name="mousetrap-program" content="${meta}">\n` +
    `<link rel="preload" href="${program.rules}" as="fetch" type="application/wasm" crossorigin>\n</head>`;
  writeFileSync(join(fresh, page), text.replace("</head>", head));
}
const own = ["icon.svg", "icon-192.png", "icon-512.png", "icon-maskable.png", "manifest.webmanifest"];
for (const name of own) cpSync(join(here, "src/static", name), join(fresh, name));
writeFileSync(join(fresh, "art.svg"), await art());

// Tables.
const small = [];
for (const set of readdirSync(values.tables, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
  const folder = join(values.tables, set.name);
  const tables = readdirSync(folder)
    .filter((name) => name.endsWith(".mtb"))
    .sort();
  const pieces = (name) => name.replace(/\.mtb$|-/g, "").length;
  const bundled = tables.filter((name) => pieces(name) <= BUNDLED);
  const contents = bundled.map((name) => readFileSync(join(folder, name)));
  const list = Buffer.from(JSON.stringify(bundled.map((name, index) => [name, contents[index].length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  writeFileSync(join(fresh, "tables", `${set.name}.bundle`), Buffer.concat([length, list, ...contents]));
  small.push(`tables/${set.name}.bundle`);
  const large = tables.filter((name) => pieces(name) > BUNDLED);
  if (large.length) mkdirSync(join(fresh, "tables", set.name));
  for (const name of large) cpSync(join(folder, name), join(fresh, "tables", set.name, name));
}

// The opening book lies beside the tables, and is fetched when somebody asks for it.
cpSync(join(here, "../crates/library/data/opening.book"), join(fresh, "tables/opening.book"));
small.push("tables/opening.book");
// Puzzles, which are fetched when first asked for.
const puzzles = "tables/puzzles.txt";
cpSync(join(here, "../crates/puzzles/data/puzzles.txt"), join(fresh, puzzles));

// What the service worker keeps: everything but the large tables, and the module with threads, which other pages have.
const kept = [...Object.values(files), program.worker, program.rules, program.module, ...pages];
kept.push(...own, "art.svg", ...small, puzzles);
const version = hash(kept.map((name) => hash(readFileSync(join(fresh, name)))).join());
const define = { FILES: JSON.stringify(kept), VERSION: JSON.stringify(version) };
const offline = await build({
  ...BOUND,
  absWorkingDir: here,
  entryPoints: ["src/local/offline.ts"],
  format: "iife",
  define,
  write: false,
});
writeFileSync(join(fresh, "offline.js"), offline.outputFiles[0].contents);

// Compressed copies, and what a visit costs.
const sizes = {};
for (const path of walk(fresh)) {
  const bytes = readFileSync(path);
  const name = relative(fresh, path);
  sizes[name] = bytes.length;
  if (/\.(mtb|bundle|png)$/.test(name)) continue;
  const packed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  writeFileSync(`${path}.br`, packed);
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  sizes[name] = packed.length;
}
rmSync(out, { recursive: true, force: true });
renameSync(fresh, out);

const sum = (names) => names.reduce((total, name) => total + sizes[name], 0);
const first = ["index.html", files["app.js"], files["app.css"], program.worker, program.rules, "art.svg", "icon.svg"];
const bytes = (count) => `${(count / 1000).toFixed(1)} kB`;
console.log(`to the first move: ${bytes(sum(first))} compressed, of which ${bytes(sizes[program.rules])} the rules`);
console.log(`to the engine's reply: ${bytes(sum([...first, program.module]))} compressed`);
console.log(`to full offline: ${bytes(sum([...kept, "offline.js"]))}, of which ${bytes(sum(small))} tables`);
console.log(`version ${version} in ${out}`);

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else yield path;
  }
}

/** The pieces and the board, drawn by the program itself. */
async function art() {
  const made = await build({ ...BOUND, absWorkingDir: here, entryPoints: ["src/local/wasi.ts"], write: false });
  const { system } = await import(
    `data:text/javascript;base64,${Buffer.from(made.outputFiles[0].text).toString("base64")}`
  );
  const module = await WebAssembly.compile(readFileSync(values.module));
  let memory;
  let drawn = "";
  const text = (at, length) => Buffer.from(memory.buffer, at, length).toString();
  const imports = system(module, () => memory);
  imports.mousetrap = {
    tell: (status, _name, _length, at, length) => {
      if (status !== 200) throw new Error(text(at, length));
      drawn = text(at, length);
    },
    fetch: () => -1n,
    take: () => 0n,
  };
  const { exports } = await WebAssembly.instantiate(module, imports);
  memory = exports.memory;
  exports._initialize();
  exports.desk_open(1);
  const request = Buffer.from("/art.svg\0\0");
  const at = exports.desk_allocate(request.length);
  new Uint8Array(memory.buffer, at, request.length).set(request);
  exports.desk_ask(at, request.length);
  return drawn;
}

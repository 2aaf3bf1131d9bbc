// Bundles the tests and runs them, `--site` those of the site alone; `--shots FOLDER` makes pictures instead, `--load`, `--duels GAMES`, `--soak MINUTES` and
// `--chaos MINUTES` put load on the server.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";

const here = new URL("..", import.meta.url).pathname;
const out = here + "node_modules/.cache/tests";
mkdirSync(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: [
    "tests/shots.ts",
    "tests/board.test.ts",
    "tests/details.test.ts",
    "tests/promises.test.ts",
    "tests/lessons.test.ts",
    "tests/games.test.ts",
    "tests/puzzles.test.ts",
    "tests/friend.test.ts",
    "tests/duels.ts",
    "tests/amazons.test.ts",
    "tests/gadgets.test.ts",
    "tests/growth.test.ts",
    "tests/site.test.ts",
    "tests/load.ts",
    "tests/soak.ts",
    "tests/chaos.ts",
    "tests/site-report.ts",
  ],
  outdir: out,
  bundle: true,
  platform: "node",
  format: "esm",
  outExtension: { ".js": ".mjs" },
  packages: "external",
  target: "node20",
});
const [kind, ...rest] = process.argv.slice(2);
const run =
  kind === "--shots"
    ? [out + "/shots.mjs", ...rest]
    : kind === "--load"
      ? [out + "/load.mjs", ...rest]
      : kind === "--soak"
        ? [out + "/soak.mjs", ...rest]
        : kind === "--duels"
          ? [out + "/duels.mjs", ...rest]
          : kind === "--chaos"
            ? [out + "/chaos.mjs", ...rest]
            : kind === "--site-report"
              ? [out + "/site-report.mjs", ...rest]
              : kind === "--site"
                ? ["--test", "--test-reporter=spec", ...rest, out + "/site.test.mjs"]
                : // One file after the other: each has a server and a browser.
                  [
                    "--test",
                    "--test-reporter=spec",
                    "--test-concurrency=1",
                    ...process.argv.slice(2),
                    out + "/board.test.mjs",
                    out + "/details.test.mjs",
                    out + "/promises.test.mjs",
                    out + "/lessons.test.mjs",
                    out + "/games.test.mjs",
                    out + "/puzzles.test.mjs",
                    out + "/friend.test.mjs",
                    out + "/amazons.test.mjs",
                    out + "/gadgets.test.mjs",
                    out + "/growth.test.mjs",
                  ];
process.exit(spawnSync(process.execPath, run, { cwd: here, stdio: "inherit" }).status ?? 1);

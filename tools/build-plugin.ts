import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { OLDEST_NODE } from "../provider/version.generated";
import { findPackageRoot } from "./engine/package-root";

const NAME = "pulumi-resource-management";
const [OLDEST_MAJOR, OLDEST_MINOR] = OLDEST_NODE.split(".");

/** Says what is wrong where an old Node.js would stop at a syntax or module that it does not know. */
const VERSION_CHECK =
  `{const [major, minor] = process.versions.node.split(".").map(Number);` +
  `if (major < ${OLDEST_MAJOR} || (major === ${OLDEST_MAJOR} && minor < ${OLDEST_MINOR})) {` +
  `process.stderr.write("${NAME} needs Node.js ${OLDEST_NODE} or later on PATH; this is " + process.version + ".\\n");` +
  "process.exit(1);}}";

/** What the server and the requests have in common: messages are told by their classes. */
const SHARED = [
  "@grpc/grpc-js",
  "@pulumi/pulumi/proto/provider_pb",
  "google-protobuf",
  "google-protobuf/google/protobuf/any_pb",
  "google-protobuf/google/protobuf/empty_pb",
  "google-protobuf/google/protobuf/struct_pb",
];

const options = {
  bundle: true,
  platform: "node",
  target: `node${OLDEST_NODE}`,
  format: "cjs",
  // Loading time grows with size; names stay for the sake of stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  logLevel: "warning",
  plugins: [englishOnly()],
} satisfies BuildOptions;

/** Zod brings its messages in 60 languages, a tenth of the file; the provider writes its own, in English. */
function englishOnly(): Plugin {
  return {
    name: "english-only",
    setup(building) {
      building.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
        contents: 'export { default as en } from "./en.js";',
        resolveDir: dirname(path),
      }));
    },
  };
}

/** Bundles the provider plugin into one file that Node.js runs, and a command that starts it on Windows. */
async function buildPlugin(folder: string): Promise<string> {
  const root = findPackageRoot();
  const outfile = join(folder, NAME);
  mkdirSync(folder, { recursive: true });
  await build({
    ...options,
    absWorkingDir: root,
    entryPoints: ["provider/plugin/main.ts"],
    outfile,
    banner: { js: `#!/usr/bin/env node\n${VERSION_CHECK}` },
    plugins: [...options.plugins, onDemandAsText(root), schemaAsText],
  });
  chmodSync(outfile, 0o755);
  writeFileSync(`${outfile}.cmd`, `@node "%~dp0${NAME}" %*\r\n`);
  return outfile;
}

/**
 * Puts what requests need, and what components need, into the file as packed text, which Node.js unpacks and compiles when
 * one arrives: the start of the process hardly grows with the number of resources.
 */
function onDemandAsText(root: string): Plugin {
  return {
    name: "on-demand-as-text",
    setup(building) {
      building.onResolve({ filter: /^\.\/(?:requests|construct\/construct)$/ }, ({ path }) => ({
        path,
        namespace: "as-text",
      }));
      building.onLoad({ filter: /.*/, namespace: "as-text" }, async ({ path }) => {
        const { outputFiles } = await build({
          ...options,
          absWorkingDir: root,
          entryPoints: [`provider/plugin/${path}.ts`],
          external: SHARED,
          write: false,
        });
        return { contents: compiledOnDemand(basename(path), outputFiles[0]?.text ?? ""), resolveDir: root };
      });
    },
  };
}

function compiledOnDemand(name: string, source: string): string {
  const shared = SHARED.map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)})`);
  return `
    const shared = { ${shared.join(", ")} };
    const load = (name) => {
      const key = name.replace(/\\.js$/, "");
      return Object.hasOwn(shared, key) ? shared[key]() : require(name);
    };
    const { compileFunction } = require("node:vm");
    const parameters = ["exports", "require", "module", "__dirname"];
    compileFunction(${packed(source)}, parameters, { filename: "${NAME}/${name}.js" })(exports, load, module, __dirname);
  `;
}

const schemaAsText: Plugin = {
  name: "schema-as-text",
  setup(building) {
    building.onLoad({ filter: /schema\.json$/ }, ({ path }) => {
      const text = JSON.stringify(JSON.parse(readFileSync(path, "utf8")));
      return { contents: `module.exports = JSON.parse(${packed(text)})` };
    });
  },
};

/** An expression that is `text`; a quarter of its length in the file. */
function packed(text: string): string {
  const params = {
    // A tenth less would take 30 times as long.
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  const base64 = brotliCompressSync(text, { params }).toString("base64");
  return `require("node:zlib").brotliDecompressSync(Buffer.from("${base64}", "base64")).toString("utf8")`;
}

async function main(): Promise<void> {
  const started = performance.now();
  const file = await buildPlugin(join(findPackageRoot(), "dist", "plugin"));
  const kilobytes = Math.round(statSync(file).size / 1024);
  console.log(`${file}: ${kilobytes} kB in ${Math.round(performance.now() - started)} ms`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}

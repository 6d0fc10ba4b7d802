import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build, type BuildOptions, type Plugin } from "esbuild";
import { OLDEST_NODE } from "../provider/core/version.generated";
import { findPackageRoot } from "./engine/package-root";
import type { PackageSpec } from "./schema/package-spec";

export const PLUGIN_NAME = "pulumi-resource-management";
const [OLDEST_MAJOR, OLDEST_MINOR] = OLDEST_NODE.split(".");

/** Says what is wrong where an old Node.js would stop at a syntax or module that it does not know. */
const VERSION_CHECK =
  `{const [major, minor] = process.versions.node.split(".").map(Number);` +
  `if (major < ${OLDEST_MAJOR} || (major === ${OLDEST_MAJOR} && minor < ${OLDEST_MINOR})) {` +
  `process.stderr.write("${PLUGIN_NAME} needs Node.js ${OLDEST_NODE} or later on PATH; this is " + process.version + ".\\n");` +
  "process.exit(1);}}";

/** The modules that the bundles have in common, by the file that they are in. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  // Messages are recognised by their classes. `main.js` needs them at the start.
  shared: [
    "@grpc/grpc-js",
    "@pulumi/pulumi/proto/provider_pb",
    "google-protobuf",
    "google-protobuf/google/protobuf/any_pb",
    "google-protobuf/google/protobuf/empty_pb",
    "google-protobuf/google/protobuf/struct_pb",
  ],
  libraries: ["undici", "zod"],
};

/** The bundles beside the command. `main.js` loads the other one with the first request: a start does not read the resources. */
const BUNDLES = ["main", "requests"];

const options = {
  bundle: true,
  platform: "node",
  target: `node${OLDEST_NODE}`,
  format: "cjs",
  // Lines and names stay for the sake of stack traces.
  minifySyntax: true,
  logLevel: "warning",
  metafile: true,
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

/** Makes a bundle load other bundles and the schema from the files beside it. */
const onDemand: Plugin = {
  name: "on-demand",
  setup(building) {
    const filter = new RegExp(`^\\./(?:${BUNDLES.join("|")})$`);
    building.onResolve({ filter }, ({ path }) => ({ path: `./${basename(path)}.js`, external: true }));
    building.onResolve({ filter: /\/schema\.json$/ }, () => ({ path: "./schema.json", external: true }));
  },
};

/** Makes a bundle take what is shared from the files beside it. */
const fromShared: Plugin = {
  name: "from-shared",
  setup(building) {
    for (const [file, modules] of Object.entries(SHARED)) {
      building.onResolve({ filter: new RegExp(`^(?:${modules.join("|")})(?:\\.js)?$`) }, ({ path }) => ({
        path: path.replace(/\.js$/, ""),
        namespace: file,
      }));
      building.onResolve({ filter: new RegExp(`^\\./${file}\\.js$`) }, ({ path }) => ({
        path,
        external: true,
      }));
      building.onLoad({ filter: /.*/, namespace: file }, ({ path }) => ({
        contents: `module.exports = require("./${file}.js")[${JSON.stringify(path)}];`,
      }));
    }
    // As the SDK's own service names the same messages.
    building.onResolve({ filter: /^\.\/provider_pb(?:\.js)?$/ }, () => ({
      path: "@pulumi/pulumi/proto/provider_pb",
      namespace: "shared",
    }));
  },
};

/** Bundles the provider plugin into files side by side, and a command that starts it on Windows; returns the bundled sources. */
export async function buildPlugin(folder: string): Promise<readonly string[]> {
  const root = findPackageRoot();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = { ...options, absWorkingDir: root };
  const exportEach = (modules: readonly string[]): string =>
    modules
      .map((name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(name)}); }`)
      .join(", ");
  const results = await Promise.all([
    build({
      ...bundle,
      entryPoints: ["provider/plugin/launch.ts"],
      outfile: join(folder, PLUGIN_NAME),
      banner: { js: `#!/usr/bin/env node\n${VERSION_CHECK}` },
      plugins: [onDemand],
    }),
    ...BUNDLES.map((name) =>
      build({
        ...bundle,
        entryPoints: [`provider/plugin/${name}.ts`],
        outfile: join(folder, `${basename(name)}.js`),
        plugins: [...options.plugins, onDemand, fromShared],
      }),
    ),
    ...Object.entries(SHARED).map(([file, modules]) =>
      build({
        ...bundle,
        stdin: { contents: `module.exports = { ${exportEach(modules)} };`, resolveDir: root },
        outfile: join(folder, `${file}.js`),
      }),
    ),
  ]);
  writeFileSync(join(folder, "schema.json"), JSON.stringify(publishedSchema(root)));
  chmodSync(join(folder, PLUGIN_NAME), 0o755);
  writeFileSync(join(folder, `${PLUGIN_NAME}.cmd`), `@node "%~dp0${PLUGIN_NAME}" %*\r\n`);
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** The schema with the address of the release, where there is one: the engine then downloads the plugin by itself. */
export function publishedSchema(root: string): PackageSpec {
  const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8")) as PackageSpec;
  const pluginDownloadURL = process.env["PLUGIN_DOWNLOAD_URL"];
  return pluginDownloadURL === undefined || pluginDownloadURL === ""
    ? schema
    : { ...schema, pluginDownloadURL };
}

async function main(): Promise<void> {
  const started = performance.now();
  const folder = join(findPackageRoot(), "dist", "plugin");
  await buildPlugin(folder);
  const bytes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
  const kilobytes = Math.round(bytes.reduce((sum, size) => sum + size, 0) / 1024);
  console.log(`${folder}: ${kilobytes} kB in ${Math.round(performance.now() - started)} ms`);
}

if (require.main === module) {
  main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}

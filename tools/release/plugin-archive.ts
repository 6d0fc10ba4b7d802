import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";
import { buildPlugin, PLUGIN_NAME } from "../build-plugin";
import { findPackageRoot } from "../engine/package-root";

export interface PluginArchive {
  /** `pulumi-resource-management-v<version>-<os>-<arch>.tar.gz`, as the engine asks a server for it. */
  readonly name: string;
  /** The sources in its bundles, relative to the repository. */
  readonly sources: readonly string[];
}

/** Writes the plugin with the Node.js that runs it, for this machine's system, as one archive. */
export async function writePluginArchive(folder: string, version: string): Promise<PluginArchive> {
  const staging = mkdtempSync(join(tmpdir(), "management-plugin-"));
  try {
    const sources = await buildPlugin(staging);
    addNode(staging);
    const { os, arch } = engineSystem();
    const name = `${PLUGIN_NAME}-v${version}-${os}-${arch}.tar.gz`;
    mkdirSync(folder, { recursive: true });
    // Equal input makes an equal archive: no owners, no times, a fixed order.
    const fixed = { portable: true, mtime: new Date(0), gzip: true };
    await create({ ...fixed, cwd: staging, file: join(folder, name) }, readdirSync(staging).toSorted());
    return { name, sources };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Puts Node.js beside the bundles, and commands that start them with it instead of the one on PATH. */
function addNode(folder: string): void {
  const binary = process.platform === "win32" ? "node.exe" : "node";
  copyFileSync(join(nodePackage(), "bin", binary), join(folder, binary));
  chmodSync(join(folder, binary), 0o755);
  copyFileSync(join(licenseFolder(), "LICENSE"), join(folder, "LICENSE-node"));
  copyFileSync(join(findPackageRoot(), "LICENSE"), join(folder, "LICENSE"));
  renameSync(join(folder, PLUGIN_NAME), join(folder, "launch.js"));
  writeFileSync(
    join(folder, PLUGIN_NAME),
    '#!/bin/sh\nhere=${0%/*}\nexec "$here/node" "$here/launch.js" "$@"\n',
  );
  chmodSync(join(folder, PLUGIN_NAME), 0o755);
  writeFileSync(join(folder, `${PLUGIN_NAME}.cmd`), `@"%~dp0node.exe" "%~dp0launch.js" %*\r\n`);
}

/** The npm package whose Node.js builds and tests everything here. */
function nodePackage(): string {
  return dirname(require.resolve("node/package.json"));
}

function licenseFolder(): string {
  // The package for the system is a dependency of the one above.
  const { resolve } = createRequire(join(nodePackage(), "package.json"));
  const system = process.platform === "win32" ? "win" : process.platform;
  return dirname(resolve(`node-${system}-${process.arch}/package.json`));
}

/** The names that the engine has for systems and processors: those of Go. */
function engineSystem(): { os: string; arch: string } {
  const os = process.platform === "win32" ? "windows" : process.platform;
  return { os, arch: process.arch === "x64" ? "amd64" : process.arch };
}

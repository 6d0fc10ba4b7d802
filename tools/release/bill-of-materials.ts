import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EXTENSION_PACKAGES } from "../../emulator/postgres/sql/platform/extensions";
import { runProcess } from "../engine/run-process";

const component = z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string() });
const billSchema = z.looseObject({
  serialNumber: z.string().or(z.undefined()),
  metadata: z.looseObject({ timestamp: z.string().or(z.undefined()), component }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});
/** A bill of materials in the form of CycloneDX. */
export type Bill = z.output<typeof billSchema>;

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

/** What `npm sbom` says of the lock file, with everything that only development needs. */
export async function completeBill(root: string): Promise<Bill> {
  const { exitCode, stdout, lastLines } = await runProcess(
    "npm",
    ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"],
    { cwd: root, timeoutMs: 5 * 60_000 },
  );
  if (exitCode !== 0) throw new Error(`npm sbom ended with code ${exitCode}:\n${lastLines.join("\n")}`);
  return billSchema.parse(JSON.parse(stdout));
}

/** The bill of the provider's npm package: what it installs, and what its plugin has in its bundles. */
export function packageBill(complete: Bill, root: string, sources: readonly string[]): Bill {
  const refs = [...installedWith(complete, root, root), ...bundledIn(root, sources)];
  return partOf(complete, root, new Set(refs));
}

/** The bill of the emulator's npm package: what it installs, and the extensions of its database that it has in it. */
export function emulatorBill(complete: Bill, root: string): Bill {
  const folder = join(root, "emulator");
  const extensions = Object.keys(EXTENSION_PACKAGES).map((name) => refAt(join(root, "node_modules", name)));
  return partOf(complete, folder, new Set([...installedWith(complete, root, folder), ...extensions]));
}

/** What a package manager installs with the package of a folder. */
function installedWith(complete: Bill, root: string, folder: string): ReadonlySet<string> {
  const { dependencies } = manifestAt(folder);
  const dependsOn = new Map(complete.dependencies.map((each) => [each.ref, each.dependsOn]));
  const installed = new Set(Object.keys(dependencies).map((name) => refAt(join(root, "node_modules", name))));
  // A set is walked in the order of insertion, what is added on the way included.
  for (const ref of installed) for (const needed of dependsOn.get(ref) ?? []) installed.add(needed);
  return installed;
}

/** The bill of the plugin's archive: what its bundles have, and the Node.js beside them. */
export function pluginBill(complete: Bill, root: string, sources: readonly string[]): Bill {
  const bill = partOf(complete, root, bundledIn(root, sources));
  const { version } = manifestAt(join(root, "node_modules", "node"));
  const node = {
    "bom-ref": `node@${version}`,
    type: "platform",
    name: "node",
    version,
    licenses: [{ license: { id: "MIT" } }],
  };
  return { ...bill, components: [...bill.components.filter(({ name }) => name !== "node"), node] };
}

/** The components of the references alone, for the package of a folder; without what differs between two runs. */
function partOf(complete: Bill, folder: string, refs: ReadonlySet<string>): Bill {
  const components = complete.components.filter((each) => refs.has(each["bom-ref"]));
  const found = new Set(components.map((each) => each["bom-ref"]));
  const missing = [...refs].filter((ref) => !found.has(ref));
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(", ")}.`);
  const { name, version, description } = manifestAt(folder);
  const ref = `${name}@${version}`;
  const own = {
    ...complete.metadata.component,
    ...{ "bom-ref": ref, name, version, description, purl: `pkg:npm/${ref}` },
  };
  return {
    ...complete,
    serialNumber: undefined,
    metadata: { ...complete.metadata, timestamp: undefined, component: own },
    components,
    dependencies: [
      { ref, dependsOn: [...found].toSorted() },
      ...complete.dependencies
        .filter(({ ref }) => found.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => found.has(each)) })),
    ],
  };
}

/** The packages that sources of a bundle are from. */
function bundledIn(root: string, sources: readonly string[]): Set<string> {
  const folders = sources.flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll("\\", "/"))?.[0] ?? [],
  );
  return new Set([...new Set(folders)].map((folder) => refAt(join(root, folder))));
}

function refAt(folder: string): string {
  const { name, version } = manifestAt(folder);
  return `${name}@${version}`;
}

function manifestAt(folder: string): z.output<typeof manifestSchema> {
  return manifestSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
}

import { quoteForShell } from "../../spec/shown-text";
import type { StateInstance } from "./terraform-state";
import type { TerraformSource } from "./terraform";

/** How Terraform gives up what the program has taken over, with nothing destroyed. */
export interface TerraformRemoval {
  /** In this order, each a command with what has to be true before the next one. */
  readonly steps: readonly RemovalStep[];
  /** The blocks that do the same, in place of the resource blocks; undefined where the engine or the choice does not allow them. */
  readonly removedBlocks: string | undefined;
  /** Why there are none. */
  readonly withoutBlocks: string | undefined;
  readonly warnings: readonly string[];
}

export interface RemovalStep {
  readonly command: string;
  readonly says: string;
}

/** The name of the engine's command. */
export type TerraformCommand = "terraform" | "tofu";

const BACKUP = "before-pulumi.tfstate";

/**
 * The commands for what a program declares. They are printed and written into a README, never run: whoever runs them decides when.
 */
export function planRemoval(
  source: TerraformSource,
  engine: TerraformCommand = "terraform",
): TerraformRemoval {
  const { state, taken } = source;
  const whole = findWholeBlocks(state.managed, taken);
  const addresses = listAddresses(taken, whole).map(quoteForShell).join(" \\\n  ");
  const staying = findStaying(state.managed, taken);
  const partly = taken.map(({ block }) => omitKeys(block)).filter((block) => staying.has(block));
  const isOld = !hasRemovedBlocks(state.engineVersion);
  return {
    steps: [
      {
        command: `${engine} plan`,
        says: "It must show no changes, or only differences that you know.",
      },
      {
        command: "pulumi preview",
        says: "It must show no changes. What has been imported is protected from here on.",
      },
      {
        command: `${engine} state pull > ${BACKUP}`,
        says: `Keeps a copy of the state. To restore it: \`${engine} state push -force ${BACKUP}\`. It has secrets in plain text, so keep it out of the repository, and delete it at the end.`,
      },
      {
        command: `${engine} state rm -dry-run \\\n  ${addresses}`,
        says: "It lists what would leave the state. It must list exactly what the program has.",
      },
      {
        command: `${engine} state rm \\\n  ${addresses}`,
        says: "From here on, Terraform no longer manages these objects. Nothing on the service changes.",
      },
      {
        command: `${engine} validate`,
        says: `First ${formatEdits(state.managed, taken)}. Otherwise the next plan would create these objects again. The command lists what still refers to them, such as outputs: delete it, or use literal values there.`,
      },
      {
        command: `${engine} plan`,
        says: "It must show no changes: nothing to create, nothing to destroy. If it shows any, do not apply.",
      },
    ],
    removedBlocks: isOld || partly.length > 0 ? undefined : formatRemovedBlocks(taken),
    withoutBlocks: isOld
      ? `\`removed\` blocks need Terraform 1.7 or later, and ${state.engineVersion ?? "an unknown version"} wrote this state.`
      : partly.length > 0
        ? `\`removed\` blocks apply to whole resource blocks, but of ${[...new Set(partly)].join(", ")} only some instances are taken over.`
        : undefined,
    warnings: [
      `Never run \`${engine} destroy\`, and never delete the blocks before the objects have left the state: Terraform would delete projects with their data, keys, functions and branches.`,
      ...(source.secrets.length === 0
        ? []
        : [
            `The state and its backups have secrets in plain text, at ${source.secrets.length} ${source.secrets.length === 1 ? "place" : "places"}: delete old versions and backups from where they are stored, or change the secrets.`,
          ]),
      ...explainDeposed(state.managed, taken),
    ],
  };
}

/** Blocks of which every instance is taken over. */
function findWholeBlocks(
  managed: readonly StateInstance[],
  taken: readonly StateInstance[],
): ReadonlySet<string> {
  const blocks = new Set(taken.map(({ block }) => block));
  const left = managed.filter((each) => !each.isDeposed && !taken.includes(each));
  for (const { block } of left) blocks.delete(block);
  return blocks;
}

function listAddresses(taken: readonly StateInstance[], whole: ReadonlySet<string>): string[] {
  return [...new Set(taken.map(({ block, address }) => (whole.has(block) ? block : address)))];
}

/** What to change in the files, where one block may make objects of several keys or module instances. */
function formatEdits(managed: readonly StateInstance[], taken: readonly StateInstance[]): string {
  const staying = findStaying(managed, taken);
  const written = [...new Set(taken.map(({ block }) => omitKeys(block)))];
  const gone = written.filter((block) => !staying.has(block));
  const kept = written.flatMap((block) => {
    const stay = staying.get(block);
    if (stay === undefined) return [];
    const own = taken.filter((each) => omitKeys(each.block) === block).map(({ address }) => address);
    const others = stay.join(", ");
    const isCounted = [...own, ...stay].some((address) => /\[\d+\]/.test(address));
    return isCounted
      ? `keep the block ${block}, which also makes ${others}: in place of \`count\`, give it (or its module) a \`for_each\` with keys for these only, with a \`moved\` block for each, as a smaller \`count\` would destroy the last ones`
      : `keep the block ${block}, which also makes ${others}: from its \`for_each\`, or that of its module, remove only the keys of ${own.join(", ")}`;
  });
  return [...(gone.length === 0 ? [] : [`delete the resource blocks ${gone.join(", ")}`]), ...kept].join(
    "; ",
  );
}

/** By their blocks as the files have them, without keys: the addresses that Terraform still manages. */
function findStaying(
  managed: readonly StateInstance[],
  taken: readonly StateInstance[],
): ReadonlyMap<string, readonly string[]> {
  const left = managed.filter((each) => !each.isDeposed && !taken.includes(each));
  const staying = new Map<string, string[]>();
  for (const { block, address } of left) {
    const written = omitKeys(block);
    staying.set(written, [...(staying.get(written) ?? []), address]);
  }
  return staying;
}

/** `from` takes no keys, neither of a resource nor of a module. */
function formatRemovedBlocks(taken: readonly StateInstance[]): string {
  const blocks = [...new Set(taken.map(({ block }) => omitKeys(block)))];
  return blocks
    .map((block) => `removed {\n  from = ${block}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`)
    .join("\n");
}

function omitKeys(address: string): string {
  return address.replace(/\[(?:"(?:\\.|[^"\\])*"|\d+)\]/g, "");
}

function hasRemovedBlocks(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  return major > 1 || (major === 1 && minor >= 7);
}

/** What leaves the state with its block, though nothing has taken it over. */
function explainDeposed(managed: readonly StateInstance[], taken: readonly StateInstance[]): string[] {
  const gone = managed.filter(
    ({ isDeposed, address }) => isDeposed && taken.some((each) => each.address === address),
  );
  return gone.map(
    ({ address }) =>
      `${address} has an old object that a replacement has left over. \`state rm\` would forget it too, and it would stay on the service. First let \`terraform apply\` delete it.`,
  );
}

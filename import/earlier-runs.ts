import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { escapePattern } from "../spec/shown-text";
import type { ImportOptions } from "./import-options";
import type { NamedBefore } from "./model";
import type { Pulumi } from "./pulumi";
import { listNamedBefore, type StackDeployment } from "./state";
import { readTextFile } from "../spec/regular-file";

/** What the stack has. */
export async function readRecordedBefore(
  pulumi: Pulumi,
  out: string,
  { stack, language }: ImportOptions,
): Promise<NamedBefore[]> {
  if (!existsSync(join(out, "Pulumi.yaml"))) return [];
  const exported = await pulumi(["stack", "export", "--stack", stack]);
  if (exported.code !== 0) {
    if (/no stack named/.test(exported.said)) return [];
    throw new Error(`pulumi stack export failed (${language}): ${exported.said.trim().slice(-4_000)}`);
  }
  return listNamedBefore(JSON.parse(exported.stdout) as StackDeployment);
}

/** Throws where the stack of a new program has resources already: the preview would delete them. */
export async function requireEmptyStack(
  pulumi: Pulumi,
  { program, stack, scratch }: { readonly program: string; readonly stack: string; readonly scratch: string },
): Promise<void> {
  const cwd = join(scratch, "asking");
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "Pulumi.yaml"), JSON.stringify({ name: program, runtime: "yaml" }));
  const exported = await pulumi(["stack", "export", "--stack", stack], { cwd });
  if (exported.code !== 0) return;
  const { deployment } = JSON.parse(exported.stdout) as StackDeployment;
  const count = (deployment.resources ?? []).filter(({ type }) => type !== "pulumi:pulumi:Stack").length;
  if (count === 0) return;
  throw new Error(
    `The service and the stack were not changed. The stack ${stack} of the program ${program} has ${count} resources already, and the folder has no program that declares them. ` +
      "Pass the folder of that program with `--out`, or another stack with `--stack`.",
  );
}

/** What an earlier run wrote and imported nowhere. */
export function readListedBefore(out: string): NamedBefore[] {
  const file = join(out, "import.json");
  if (!existsSync(file)) return [];
  const { resources = [] } = JSON.parse(readTextFile(file)) as {
    readonly resources?: readonly { readonly type: string; readonly name: string; readonly id: string }[];
  };
  return resources.map(({ type, name, id }) => ({ type: type.split(":").at(-1) ?? "", name, importId: id }));
}

/** Whether the program in a folder declares what an earlier run listed: a user may have removed it since. */
export function createProgramTest(
  out: string,
  { language, imports }: ImportOptions,
): (listed: NamedBefore) => boolean {
  if (!imports) return () => true;
  const ending = { typescript: ".ts", python: ".py", yaml: "Pulumi.yaml" }[language];
  const sources = readdirSync(out)
    .filter((name) => name.endsWith(ending))
    .map((name) => readTextFile(join(out, name)));
  return ({ type, name }) => {
    const [kind, called] = [escapePattern(type), escapePattern(name)];
    const declaration =
      language === "yaml"
        ? `^ +"?${called}"?:\\s+type: \\S+:${kind}$`
        : `^[^/#\n]*\\b${kind}\\(\\s*"${called}"`;
    return sources.some((text) => new RegExp(declaration, "m").test(text));
  };
}

interface ImportIdentity {
  readonly type: string;
  readonly importId: string;
}

export function omitIdentities<T extends ImportIdentity>(
  all: readonly T[],
  those: readonly ImportIdentity[],
): T[] {
  const keys = new Set(those.map(({ type, importId }) => `${type} ${importId}`));
  return all.filter(({ type, importId }) => !keys.has(`${type} ${importId}`));
}

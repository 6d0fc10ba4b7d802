import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import type { Environment } from "../../../tools/engine/engine";
import { makeJobFolder, removeJobFolder } from "./job-folder";
import { checkOut, runLines } from "./runner-shell";

const job = z.strictObject({
  // Of the forge's own stages, those that these use: they stand in a pipeline of any repository.
  stage: z.enum(["test", "deploy"]).default("test"),
  needs: z.array(z.string()).optional(),
  image: z.string(),
  rules: z.array(
    z.strictObject({
      if: z.string(),
      changes: z.array(z.string()).optional(),
      when: z.literal("manual").optional(),
      allow_failure: z.boolean().optional(),
    }),
  ),
  resource_group: z.string(),
  interruptible: z.literal(false),
  timeout: z.string().optional(),
  environment: z
    .strictObject({
      name: z.string(),
      action: z.enum(["stop", "access"]).optional(),
      on_stop: z.string().optional(),
      auto_stop_in: z.string().optional(),
    })
    .optional(),
  variables: z.record(z.string(), z.string()).default({}),
  before_script: z.array(z.string()).default([]),
  script: z.array(z.string()),
  after_script: z.array(z.string()).default([]),
  artifacts: z
    .strictObject({
      when: z.literal("always").optional(),
      expose_as: z.string().optional(),
      paths: z.array(z.string()),
      expire_in: z.string().optional(),
      access: z.literal("developer").optional(),
      reports: z.strictObject({ dotenv: z.string() }).optional(),
    })
    .optional(),
});

/** What of GitLab's syntax the pipelines of the examples use; anything else is an error. */
const pipeline = z.record(z.string(), job);

export type Job = z.output<typeof job>;
export type Variables = Readonly<Record<string, string>>;

export function readPipeline(file: string): Readonly<Record<string, Job>> {
  return pipeline.parse(extended(parse(readFileSync(file, "utf8"))));
}

const entries = z.record(z.string(), z.looseObject({ extends: z.string().optional() }));

/** Each job with what it extends, and none that is hidden. */
function extended(text: unknown): Record<string, unknown> {
  const all = entries.parse(text);
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, job]): [string, unknown][] => {
      if (name.startsWith(".")) return [];
      if (job.extends === undefined) return [[name, job]];
      const { extends: from, ...own } = job;
      const common = all[from];
      if (common === undefined) throw new Error(`${name} extends no job`);
      return [[name, { ...common, ...own }]];
    }),
  );
}

/** Names of the jobs that a pipeline has, by the rules `$A == "text"`, `$A != "text"` and `$A == $B`, joined by `&&`. */
export function jobsOf(jobs: Readonly<Record<string, Job>>, variables: Variables): string[] {
  return Object.entries(jobs).flatMap(([name, { rules }]) =>
    rules.some((rule) => rule.if.split("&&").every((part) => isEqual(part.trim(), variables))) ? [name] : [],
  );
}

function isEqual(comparison: string, variables: Variables): boolean {
  const [, left = "", sign, text, right = ""] =
    /^\$(\w+) (==|!=) (?:"([^"]*)"|\$(\w+))$/.exec(comparison) ?? [];
  if (left === "") throw new Error(`not simulated: ${comparison}`);
  return (variables[left] === (text ?? variables[right])) === (sign === "==");
}

/**
 * Runs the script of a job in an empty folder, with the commit of the pipeline in it unless the job wants none;
 * `artifacts` are the texts that stay.
 */
export async function runScript(
  { before_script: before, script, after_script: afterwards, variables: own, artifacts, environment }: Job,
  { env, remote, variables }: { env: Environment; remote: string; variables: Variables },
): Promise<{ code: number; log: string; artifacts: readonly string[]; dotenv: Variables }> {
  const folder = makeJobFolder();
  const project = join(folder, "project");
  for (const path of [project, join(folder, "home")]) mkdirSync(path);
  const action = environment?.action === undefined ? {} : { CI_ENVIRONMENT_ACTION: environment.action };
  const all: Variables = { ...variables, ...action, ...own };
  try {
    if (all["GIT_STRATEGY"] !== "none") await checkOut(remote, all["CI_COMMIT_SHA"] ?? "HEAD", project);
    const run = (lines: readonly string[], more: Variables): ReturnType<typeof runLines> => {
      const file = join(folder, "script.sh");
      writeFileSync(file, `${lines.join("\n")}\n`);
      const own = { HOME: join(folder, "home"), TMPDIR: folder };
      return runLines(file, { cwd: project, env: { ...env, ...all, ...more, ...own } });
    };
    const ended = await run([...before, ...script], {});
    // In a shell of its own; its end changes nothing of the job's.
    const { log: after } = await run(afterwards, { CI_JOB_STATUS: ended.code === 0 ? "success" : "failed" });
    ended.log += after;
    // What a job that failed has not made is not kept.
    const kept = (artifacts?.paths ?? []).map((path) => join(project, path)).filter(existsSync);
    const texts = kept.map((file) => readFileSync(file, "utf8"));
    const report = join(project, artifacts?.reports?.dotenv ?? "none");
    const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n") : [];
    const dotenv: Record<string, string> = {};
    for (const line of lines) {
      const [, name, value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
      if (name !== undefined) dotenv[name] = value;
    }
    return { ...ended, artifacts: texts, dotenv };
  } finally {
    removeJobFolder(folder);
  }
}

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { provideActionlint } from "../../tools/engine/actionlint";
import { findPackageRoot } from "../../tools/engine/package-root";
import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { readPipeline } from "./workflows/gitlab-pipeline";
import { readWorkflow } from "./workflows/workflow-file";

const examples = join(findPackageRoot(), "examples");
const example = join(examples, "preview-environments");
const files = [example, join(examples, "drift")].flatMap((each) => {
  const folder = join(each, ".github/workflows");
  return readdirSync(folder).map((name) => join(folder, name));
});
const ownFolder = join(findPackageRoot(), ".github/workflows");
/** The workflows of this repository itself. */
const ownFiles = readdirSync(ownFolder).map((name) => join(ownFolder, name));

it(
  "actionlint finds nothing in the workflows",
  async () => {
    const log = (line: string): void => void process.stderr.write(`actionlint: ${line}\n`);
    const linter = await provideActionlint({ env: process.env, log });
    if (!linter.ok) throw new Error(linter.reason);
    // Without programs that only some machines have.
    const flags = ["-no-color", "-shellcheck=", "-pyflakes="];
    expect(execFileSync(linter.value, [...flags, ...files, ...ownFiles], { encoding: "utf8" })).toBe("");
    const broken =
      "on: push\njobs: { x: { runs-on: ubuntu-latest, steps: [{ run: 'echo ${{ nothing.x }}' }] } }\n";
    expect(() => execFileSync(linter.value, [...flags, "-"], { input: broken, stdio: "pipe" })).toThrow();
  },
  PROVISIONING_TIMEOUT_MS,
);

it.each(files.map((file) => [basename(file), file]))(
  "%s gives nothing away: least permissions, secrets at single steps, no text of a user in a shell",
  (_, file) => {
    const { jobs } = readWorkflow(file);
    for (const { permissions, steps } of Object.values(jobs)) {
      // Comments are all that a job may write.
      const { contents, ...others } = permissions;
      expect(contents).toBe("read");
      expect(JSON.stringify(others)).toMatch(
        /^\{(?:"(?:pull-requests":"(?:read|write)|issues":"write)"(?:,"actions":"read")?)?\}$/,
      );
      // A value goes into a shell by its environment alone.
      for (const { run = "" } of steps) expect(run).not.toContain("${{");
      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    }
  },
);

const stepSchema = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });
const ownSchema = z.looseObject({
  permissions: z.strictObject({}),
  env: z.never().optional(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      permissions: z.record(z.string(), z.string()),
      environment: z.string().optional(),
      env: z.never().optional(),
      steps: z.array(stepSchema),
    }),
  ),
});
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(findPackageRoot(), "package.json"), "utf8")));

describe.each(ownFiles.map((file) => [basename(file), file]))("%s of this repository", (_, file) => {
  const { jobs } = ownSchema.parse(parse(readFileSync(file, "utf8")));
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it("runs only commands that there are", () => {
    const commands = steps.flatMap(({ run }) => run?.split("\n").filter((line) => line !== "") ?? []);
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      const [, script] = /^npm (?:run )?(\S+)/.exec(command) ?? [];
      const isKnown =
        script === undefined
          ? /^(?:gh release (?:create|edit)|test) /.test(command)
          : ["ci", "publish"].includes(script) || scripts[script] !== undefined;
      expect({ command, isKnown }).toEqual({ command, isKnown: true });
    }
  });

  it("pins what it uses, puts no text into a shell, and writes only where somebody approves", () => {
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    for (const { permissions, environment } of Object.values(jobs)) {
      if (environment !== "release") expect(permissions).toEqual({ contents: "read" });
    }
  });
});

it("the pipeline of GitLab has what keeps its jobs apart and ends its environments", () => {
  const pipeline: Readonly<Record<string, unknown>> = readPipeline(join(example, ".gitlab-ci.yml"));
  const resource_group = "preview-$CI_MERGE_REQUEST_IID";
  const name = "preview/$CI_MERGE_REQUEST_IID";
  const ofOwnProject = expect.stringContaining(
    "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID",
  ) as unknown;
  expect(pipeline["preview"]).toMatchObject({
    ...{ resource_group, interruptible: false, rules: [{ if: ofOwnProject }] },
    environment: { name, on_stop: "remove preview", auto_stop_in: "1 week" },
  });
  expect(pipeline["remove preview"]).toMatchObject({
    ...{ resource_group, rules: [{ if: ofOwnProject, when: "manual" }] },
    environment: { name, action: "stop" },
    variables: { GIT_STRATEGY: "none" },
  });
  expect(pipeline["sweep previews"]).toMatchObject({
    resource_group: "preview-sweep",
    rules: [{ if: '$CI_PIPELINE_SOURCE == "schedule" && $DRIFT != "true"' }],
  });
});

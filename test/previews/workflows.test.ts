import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../spec/is-object";
import { holds } from "../engine/workflows/expressions";
import { readWorkflow } from "../engine/workflows/workflow-file";

// The workflows of GitHub that the examples have, and those of this repository.

const root = join(__dirname, "../..");
const findWorkflows = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /(?:^|\/)workflows\/[^/]+\.yml$/.test(path) && !path.includes("node_modules"))
    .map((path) => join(folder, path))
    .toSorted();
const written = findWorkflows("examples");

it("there are workflows of GitHub to look at", () => {
  expect(written.length).toBeGreaterThan(2);
  expect(findWorkflows(".github").length).toBeGreaterThan(2);
});

/** What `setup-node` is given in each step that uses it. */
function readNodeSettings(file: string): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isObject(value)) return;
    if (typeof value["uses"] === "string" && value["uses"].startsWith("actions/setup-node@"))
      found.push(isObject(value["with"]) ? value["with"] : {});
    Object.values(value).forEach(look);
  };
  look(parse(readFileSync(join(root, file), "utf8")));
  return found;
}

it.each(written)("%s has no cache, and none that comes of a package.json at the root", (file) => {
  const settings = readNodeSettings(file);
  expect(settings.length).toBeGreaterThan(0);
  for (const each of settings) {
    expect(each).toMatchObject({ "package-manager-cache": false });
    expect(each).not.toHaveProperty("cache");
  }
});

it.each(findWorkflows(".github"))("%s says of each step whether it has a cache", (file) => {
  const unsaid = readNodeSettings(file).filter(
    (each) => each["cache"] === undefined && each["package-manager-cache"] !== false,
  );
  expect(unsaid).toEqual([]);
});

it("a pull request of Dependabot has no job that gets the secrets, also once a person has touched it", () => {
  const { preview } = readWorkflow(
    join(root, "examples/preview-environments/.github/workflows/preview.yml"),
  ).jobs;
  const isRun = (actor: string, login: string): boolean =>
    holds(
      preview?.if,
      {
        github: {
          ...{ repository: "acme/shop", actor, event_name: "pull_request" },
          event: {
            action: "reopened",
            pull_request: { user: { login }, head: { repo: { full_name: "acme/shop" } } },
          },
        },
      },
      "success",
    );
  const bot = "dependabot[bot]";
  expect(isRun("dev", "dev")).toBe(true);
  expect([isRun(bot, bot), isRun("dev", bot), isRun(bot, "dev")]).toEqual([false, false, false]);
});

it("production's job gets the plan of many resources, which no variable could hold as it is", () => {
  const { jobs } = readWorkflow(join(root, "examples/production/.github/workflows/production.yml"));
  const findLine = (job: string, sign: RegExp): string => {
    const lines = jobs[job]?.steps.flatMap(({ run = "" }) => run.split("\n")) ?? [];
    return lines.find((line) => sign.test(line)) ?? "exit 3";
  };
  const folder = mkdtempSync(join(tmpdir(), "management-plan-"));
  try {
    const plan = Array.from(
      { length: 4000 },
      (_, index) => `create urn:pulumi:production::shop::management:Secret::secret-${index} name value\n`,
    ).join("");
    writeFileSync(join(folder, "changes"), plan);
    const runLine = (line: string, env: Record<string, string>): void => {
      const { status, error, stderr } = spawnSync("bash", ["-eo", "pipefail", "-c", line], {
        env: { ...process.env, RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, "output"), ...env },
        encoding: "utf8",
      });
      expect({ status, error, stderr }).toEqual({ status: 0, error: undefined, stderr: "" });
    };
    runLine(findLine("plan", /^echo "changes=/), {});
    const output = readFileSync(join(folder, "output"), "utf8");
    runLine(findLine("production", /> "\$RUNNER_TEMP\/planned"/), {
      PLANNED: /^changes=(\S+)\n$/.exec(output)?.[1] ?? "",
    });
    expect(readFileSync(join(folder, "planned"), "utf8")).toBe(plan);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

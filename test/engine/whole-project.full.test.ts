import { driftIn } from "../../tools/demo/expectations";
import { serveDns } from "../../tools/engine/emulated-dns";
import { startEmulated, type Stack } from "../../tools/engine/emulated-program";
import { ROOT_KEY, wholeProject } from "../../tools/schema/examples/whole-project";
import { repeatedCalls } from "../../tools/engine/repeated-calls";
import type { OperationResult } from "../../tools/engine/workspace";
import { field } from "../../tools/fixtures/fixture";
import { copyExample, LANGUAGES, linkPackages } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { preparePythonSdk } from "./python-sdk";
import { expectSuccess, outputOf } from "./stack";
import { outsideEdits, type Refs } from "./whole-project-edits";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const declared = Object.keys(wholeProject.declares);
/** The resources and the stack. */
const ALL = declared.length + 1;
const EDITED = new Set(outsideEdits.map(({ name }) => name));

const SECRETS = {
  dbPass: "db-password-of-the-test",
  paymentToken: "payment-token-of-the-test",
  smtpPassword: "smtp-password-of-the-test",
  rootKey: ROOT_KEY,
};

/** What the API cannot remove by itself, as the destroy tells it. */
const STAYING = [
  /organization platform\S* was not deleted/,
  /legacy signing key of \w+ was not deleted/,
  /cli_login_\w+ can log in until/,
  /database webhooks of \w+ stay enabled/,
  /JitAccess \w+, .*. The current value stays/,
  /the schema of \w+ and its migration history stay/,
  /custom hostname \S+ stays active/,
  /disk of the project \w+ keeps its settings/,
  /root key of \w+ was not deleted/,
];

it.each(["whole-project", "whole-project-yaml", "whole-project-python"])(
  "%s is made, kept, edited by others, repaired and removed",
  async (name) => {
    const example = copyExample(name);
    linkPackages(example);
    const env = name.endsWith("-python") ? await (await preparePythonSdk(example)).install() : {};
    const stack = await startEmulated(() => example.projectDir, {
      engine: await engineForTests(LANGUAGES),
      env,
    });
    const stopDns = serveDns(stack);
    try {
      await playStory(stack);
    } finally {
      stopDns();
      await stack.dispose();
      example.dispose();
    }
  },
  900_000,
);

async function playStory({ emulator, workspace }: Stack): Promise<void> {
  const { control } = emulator;
  // The service as measured offers neither restore points nor, on this plan, a schedule of backups.
  control.set("service", "2026-06");
  await workspace.config("organizationSlug", "acme");
  for (const [key, value] of Object.entries(SECRETS)) await workspace.config(key, value, { secret: true });
  const organizations = control.call("listOrganizations", {}).length;

  const preview = await workspace.preview();
  expectSuccess(preview);
  expect(preview.summary).toMatchObject({ create: ALL });
  expect(control.call("listProjects", {})).toEqual([]);

  const made = await workspace.up();
  expectSuccess(made);
  expect(made.summary).toMatchObject({ create: ALL });

  control.clearCalls();
  const same = await workspace.up();
  expectSuccess(same);
  expect(same.summary).toMatchObject({ same: ALL, create: 0, update: 0, replace: 0, delete: 0 });
  expect(control.countCalls()).toBe(0);

  const refs = (await workspace.outputs()) as unknown as Refs;
  for (const { apply } of outsideEdits) await apply(control, refs);
  const refreshed = await workspace.refresh({ extraArgs: ["--diff"] });
  expectSuccess(refreshed);
  expect(missedIn(refreshed)).toEqual([]);
  expect(
    driftIn(refreshed.events)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...EDITED].sort());

  const repaired = await workspace.up();
  expectSuccess(repaired);
  // A new process does not know what is left of the window, and would repeat what is refused.
  control.advance(60_000);
  control.clearCalls();
  const clean = await workspace.refresh();
  expectSuccess(clean);
  // Each collection and each configuration is read once, whichever resources it holds. A database is asked where its history
  // is, what was applied, and which scripts ran.
  const queries = control.calls().filter(({ operation }) => operation === "runReadOnlyQuery");
  const databases = new Set(queries.map(({ path }) => path));
  expect(queries.length).toBeLessThanOrEqual(3 * databases.size);
  expect(repeatedCalls(emulator)).toEqual([]);
  expect(control.countCalls()).toBeLessThanOrEqual(declared.length);
  expect({ text: outputOf(clean), ...clean.summary }).toMatchObject({ same: ALL, update: 0, delete: 0 });
  const unchanged = await workspace.preview();
  expect({ text: outputOf(unchanged), ...unchanged.summary }).toMatchObject({ same: ALL });

  const destroyed = await workspace.destroy();
  expectSuccess(destroyed);
  expect(control.call("listProjects", {})).toEqual([]);
  // What the API cannot remove, it lists.
  expect(control.call("listOrganizations", {})).toHaveLength(organizations + 1);
  for (const line of STAYING) expect(outputOf(destroyed)).toMatch(line);

  const shown = [preview, made, same, refreshed, repaired, clean, destroyed].map(outputOf).join("\n");
  for (const secret of Object.values(SECRETS)) expect(shown).not.toContain(secret);
}

/** The edits that a refresh shows neither with an old and a new value nor, where they are secret, by their paths. */
function missedIn(refreshed: OperationResult): string[] {
  const drifts = driftIn(refreshed.events);
  const named = [...outputOf(refreshed).matchAll(/([\w., ]+) changed outside this program/g)].flatMap(
    ([, paths = ""]) => paths.trim().split(", "),
  );
  return outsideEdits.flatMap(({ name, property }) => {
    const drift = drifts.find((one) => one.name === name);
    if (property === undefined) return drift?.deleted === true ? [] : [`${name} is not shown as deleted`];
    const [top = "", ...below] = property.split(".");
    const { old, new: now } = drift?.changes[top] ?? {};
    const [before, after] = [old, now].map((value) => below.reduce(field, value));
    const isShown =
      before !== undefined && after !== undefined && JSON.stringify(before) !== JSON.stringify(after);
    return isShown || (drift !== undefined && named.includes(property))
      ? []
      : [`${name}.${property}: ${JSON.stringify(before)} => ${JSON.stringify(after)}`];
  });
}

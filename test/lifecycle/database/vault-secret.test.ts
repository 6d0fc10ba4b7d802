import { z } from "zod";
import type { Values } from "../../../provider/define/values";
import { importResource } from "../../../provider/engine/import";
import { listResources } from "../../../provider/engine/list";
import { vaultSecret } from "../../../provider/resources/database/vault-secret/vault-secret";
import { queried } from "../../../tools/fixtures/database-look";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let secrets: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
  ref = scenario.healthyProject();
  secrets = scenario.manage(vaultSecret);
});
afterEach(() => scenario.close());

const declared = (value: string, more: Values = {}): Values => ({
  projectRef: ref,
  name: "payment_token",
  value,
  ...more,
});
const sentQuery = z.object({ query: z.string(), parameters: z.array(z.unknown()).default([]) });
const query = (text: string) => queried(scenario, ref, text);
const stored = () =>
  query("select name, decrypted_secret as value, description from vault.decrypted_secrets order by name");

it("rotates and describes a secret in place, under the identifier that it has", async () => {
  const made = await secrets.create(declared("first-value"));
  expect(made.id).toBe("payment_token");
  expect(await stored()).toEqual([{ name: "payment_token", value: "first-value", description: "" }]);
  expect(await query("select id from vault.secrets")).toEqual([{ id: made.state["secretId"] }]);

  const rotated = await secrets.update(made, declared("second-value", { description: "Of the payments" }));
  expect(rotated.state["secretId"]).toBe(made.state["secretId"]);
  expect(await stored()).toEqual([
    { name: "payment_token", value: "second-value", description: "Of the payments" },
  ]);

  const bare = await secrets.update(rotated, declared("second-value"));
  expect(await stored()).toEqual([{ name: "payment_token", value: "second-value", description: "" }]);
  await secrets.delete(bare);
  expect(await stored()).toEqual([]);
  await secrets.delete(bare);
});

it("sends a value as a parameter only, whatever is in it, and reads none", async () => {
  const answers: string[] = [];
  const { requests } = scenario.proxy.disturb({
    rewrite: ({ body }) => {
      answers.push(body.toString());
      return {};
    },
  });
  const values = ["first-value", "it's $1; drop table x --", "ein Wert mit ü\nund $$ Zeilen \\"];
  let made = await secrets.create(declared("first-value"));
  for (const value of values) {
    made = await secrets.update(made, declared(value));
    expect((await stored())[0]?.["value"]).toBe(value);
    scenario.nextRun();
    expect((await secrets.read(made))?.state).toMatchObject({ value, inSync: true });
  }
  const sent = requests.filter(({ body }) => body.byteLength > 0);
  const queries = sent.map(({ body }) => sentQuery.parse(JSON.parse(body.toString())));
  for (const value of values) {
    expect(queries.filter(({ query: text }) => text.includes(value))).toEqual([]);
    expect(queries.filter(({ parameters }) => parameters.includes(value))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes(JSON.stringify(value).slice(1, -1)))).toEqual([]);
  }
});

it("shows a value that was changed outside by a salted hash alone, and sets it again", async () => {
  const made = await secrets.create(declared("first-value"));
  await query("select vault.update_secret(id, 'by hand') from vault.secrets");
  scenario.nextRun();
  const drifted = await secrets.read(made);
  expect(drifted?.state["inSync"]).toBe(false);
  expect(drifted?.state["value"]).toMatch(/^changed outside \(salted sha256 [0-9a-f]{12}…\)$/);
  expect([...secrets.diff(drifted?.state ?? {}, declared("first-value")).changed]).toEqual(["value"]);
  await secrets.update({ id: made.id, state: drifted?.state ?? {} }, declared("first-value"));
  expect((await stored())[0]?.["value"]).toBe("first-value");
});

it("shows a changed description only where one is declared", async () => {
  const bare = await secrets.create(declared("a-value"));
  await query("select vault.update_secret(id, null, null, 'by hand') from vault.secrets");
  scenario.nextRun();
  const read = await secrets.read(bare);
  expect(secrets.diff(read?.state ?? {}, declared("a-value")).changes).toBe(false);

  const described = declared("a-value", { description: "Of the payments" });
  const updated = await secrets.update(bare, described);
  await query("select vault.update_secret(id, null, null, 'by hand') from vault.secrets");
  scenario.nextRun();
  const drifted = await secrets.read(updated);
  expect([...secrets.diff(drifted?.state ?? {}, described).changed]).toEqual(["description"]);
});

it("is shown as gone when it was deleted by hand, or when the vault is", async () => {
  const made = await secrets.create(declared("a-value"));
  await query("delete from vault.secrets");
  scenario.nextRun();
  expect(await secrets.read(made)).toBeUndefined();
  await query("drop extension svc_vault");
  scenario.nextRun();
  expect(await secrets.read(made)).toBeUndefined();
  await secrets.delete(made);
  await expect(secrets.create(declared("a-value"))).rejects.toThrow("has no vault");
});

it("leaves a secret that somebody else created under its name", async () => {
  const made = await secrets.create(declared("mine"));
  await query("delete from vault.secrets");
  await query("select vault.create_secret('theirs', 'payment_token')");
  await secrets.delete(made);
  expect(await stored()).toEqual([{ name: "payment_token", value: "theirs", description: "" }]);
});

it("neither changes nor takes over a secret that somebody made anew under its name", async () => {
  const made = await secrets.create(declared("first-value"));
  await query("delete from vault.secrets; select vault.create_secret('of-others', 'payment_token', '')");
  scenario.nextRun();
  const { value: _, ...imported } = made.state;
  for (const state of [made.state, imported])
    await expect(secrets.update({ ...made, state }, declared("second-value"))).rejects.toThrow(
      /is another one than Pulumi had\. Nothing was changed/,
    );
  await secrets.delete(made);
  scenario.nextRun();
  expect(await secrets.read(made)).toBeUndefined();
  expect(scenario.warnings.join("\n")).toContain("Somebody created another secret under the name");
  await expect(secrets.create(declared("second-value"))).rejects.toThrow('adoptId: "payment_token"');
  expect(await stored()).toEqual([{ name: "payment_token", value: "of-others", description: "" }]);
});

it("says that a secret is gone which it was to change", async () => {
  const made = await secrets.create(declared("first-value"));
  await query("delete from vault.secrets");
  await expect(secrets.update(made, declared("second-value"))).rejects.toThrow("pulumi up --refresh");
});

it("does not overwrite a secret of another program, and takes it over when told to", async () => {
  await query("select vault.create_secret('theirs', 'payment_token', 'Of others')");
  await expect(secrets.create(declared("mine"))).rejects.toThrow('adoptId: "payment_token"');
  expect((await stored())[0]?.["value"]).toBe("theirs");
  await secrets.create(declared("mine", { adopt: true }));
  expect(await stored()).toEqual([{ name: "payment_token", value: "mine", description: "Of others" }]);
});

it("finds the one that it created when the answer is lost, by its time", async () => {
  scenario.proxy.disturb({
    operation: "runQuery",
    appliesTo: ({ body }) => body.includes("create_secret"),
    times: 1,
    drop: "after",
  });
  const made = await secrets.create(declared("a-value"));
  expect(made.id).toBe("payment_token");
  expect(await query("select id from vault.secrets")).toEqual([{ id: made.state["secretId"] }]);
});

it("is listed and imported with its description without a query that may write", async () => {
  await query("select vault.create_secret('theirs', 'payment_token', 'Of the payments')");
  await query("select vault.create_secret('nameless')");
  scenario.emulator.control.clearCalls();
  const found = await listResources(scenario.runtime, vaultSecret, { projectRef: ref });
  expect(found).toEqual([{ id: `${ref}/payment_token`, name: "payment_token" }]);
  const imported = await importResource(scenario.runtime, vaultSecret, `${ref}/payment_token`, true);
  expect(imported?.inputs).toEqual({
    projectRef: ref,
    name: "payment_token",
    description: "Of the payments",
  });
  expect(scenario.calls("runQuery")).toBe(0);
});

it("writes no value that the vault has already, after an import", async () => {
  await query("select vault.create_secret('a-value', 'payment_token')");
  const imported = await importResource(scenario.runtime, vaultSecret, `${ref}/payment_token`, true);
  const target = { id: "payment_token", state: imported?.state ?? {} };
  const before = await query("select xmin::text from vault.secrets");
  const updated = await secrets.update(target, declared("a-value"));
  expect(await query("select xmin::text from vault.secrets")).toEqual(before);
  expect(updated.state).toMatchObject({ value: "a-value", inSync: true });
  expect(updated.state["secretId"]).toBe(imported?.state["secretId"]);
});

it("creates and reads many with one listing of all", async () => {
  const all = Array.from({ length: 12 }, (_, index) =>
    declared(`value-${index}`, { name: `token_${index}` }),
  );
  const made = await Promise.all(all.map((inputs) => secrets.create(inputs)));
  expect(scenario.calls("runQuery")).toBe(12);
  // And one look whether the project is active, as the listing is empty.
  expect(scenario.calls()).toBe(14);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await Promise.all(made.map((each) => secrets.read(each)));
  expect(read.every((each) => each?.state["inSync"] === true)).toBe(true);
  expect(scenario.calls()).toBe(1);
});

it("is replaced delete-first when its name changes", async () => {
  const made = await secrets.create(declared("a-value"));
  expect(secrets.diff(made.state, declared("a-value", { name: "other" }))).toMatchObject({
    replaces: ["name"],
    deleteBeforeReplace: true,
  });
});

it("says what is wrong with its inputs, and never the value", () => {
  expect(secrets.failures(declared("with\0nul"))).toEqual([
    expect.stringContaining("value: the value is secret and not shown"),
  ]);
  expect(secrets.failures(declared("v", { name: "two\nlines" }))).toEqual([
    expect.stringContaining("a name on one line"),
  ]);
  expect(secrets.failures(declared("v", { description: "" }))).toHaveLength(1);
});

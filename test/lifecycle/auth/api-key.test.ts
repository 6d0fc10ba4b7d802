import type { Values } from "../../../provider/define/values";
import { apiKey } from "../../../provider/resources/auth/api-key/api-key";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";
import { madeApiKeys } from "../made-api-keys";

let scenario: Scenario;
let keys: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  keys = scenario.manage(apiKey);
});
afterEach(() => scenario.close());

const backend = (more: Values = {}): Values => ({
  projectRef: ref,
  type: "secret",
  name: "backend",
  description: "one",
  ...more,
});
const project = () => scenario.emulator.world.state.projects.get(ref);
const onService = () => madeApiKeys(project());
const updateOutside = (id: string, body: { description?: string | null; name?: string }): void => {
  scenario.emulator.control.call("updateApiKey", { ref, id, body });
};

it("sends what is declared, keeps the key through a change of every other input, and shows what others changed", async () => {
  const inputs = backend({ secretJwtTemplate: { role: "reader" } });
  const made = await keys.create(inputs);
  const [key] = onService();
  expect(key).toMatchObject({
    id: made.id,
    type: "secret",
    name: "backend",
    description: "one",
    secretJwtTemplate: { role: "reader" },
  });
  expect(made.state).toMatchObject({
    apiKey: key?.apiKey,
    prefix: key?.prefix,
    hash: expect.any(String) as string,
  });

  scenario.nextRun();
  const read = await keys.read(made);
  expect(read?.state["apiKey"]).toBe(key?.apiKey);

  scenario.nextRun();
  const changed = backend({ name: "worker", description: "two", secretJwtTemplate: { role: "writer" } });
  expect(keys.diff(made.state, changed).replaces).toEqual([]);
  const updated = await keys.update(made, changed);
  expect(onService()).toMatchObject([
    { id: made.id, name: "worker", description: "two", secretJwtTemplate: { role: "writer" } },
  ]);
  expect(updated.state["apiKey"]).toBe(key?.apiKey);

  updateOutside(made.id, { description: "by hand" });
  scenario.nextRun();
  const drifted = await keys.read(updated);
  expect(drifted?.inputs).toMatchObject({ description: "by hand" });
  expect([...keys.diff(drifted?.state ?? {}, changed).changed]).toEqual(["description"]);
});

it("creates three hundred keys after one look at their names, and reads them in one call", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `key_${index}`);
  const made = await Promise.all(names.map((name) => keys.create(backend({ name }))));
  expect(onService()).toHaveLength(300);
  expect(scenario.calls("listApiKeys")).toBe(1);
  expect(scenario.calls()).toBe(301);
  expect(scenario.emulator.control.calls().filter(({ status }) => status === 429)).toEqual([]);
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const read = await Promise.all(made.map((each) => keys.read(each)));
  expect(read.every((each, index) => each?.state["name"] === names[index])).toBe(true);
  expect(scenario.calls()).toBe(1);
});

describe("in a run that has called the service before", () => {
  beforeEach(async () => {
    await keys.create(backend());
    scenario.emulator.control.clearCalls();
  });

  it("looks again before it creates one, as only what that look does not show is new", async () => {
    await keys.create(backend({ name: "worker" }));
    const calls = scenario.emulator.control.calls().map(({ operation }) => operation);
    expect(calls).toEqual(["listApiKeys", "createApiKey"]);
  });

  it("names the key in the way", async () => {
    const [existing] = onService();
    await expect(keys.create(backend({ __owner: SOMEBODY }))).rejects.toThrow(
      `The ApiKey already exists: ${existing?.id ?? ""}`,
    );
    expect(onService()).toEqual([existing]);
  });

  it("creates none without a look", async () => {
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 403 });
    await expect(keys.create(backend({ name: "worker" }))).rejects.toThrow("listApiKeys failed");
    expect(scenario.calls("createApiKey")).toBe(0);
  });

  it("passes the refusal on of one that somebody made since the look", async () => {
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 200, body: [] });
    await expect(keys.create(backend({ __owner: SOMEBODY }))).rejects.toThrow(
      "A secret API key named backend exists already",
    );
  });
});

it("looks afresh after a create whose outcome is unclear, and only then", async () => {
  scenario.emulator.control.addFault({ operation: "createApiKey", drop: "after" });
  const made = await keys.create(backend());
  expect(onService().map(({ id }) => id)).toEqual([made.id]);
  expect(scenario.calls("listApiKeys")).toBe(2);
  expect(scenario.calls("createApiKey")).toBe(1);
  expect(made.state["apiKey"]).toBe(onService()[0]?.apiKey);
});

it("sees what it made and changed when it reads in the same run", async () => {
  const made = await keys.create(backend());
  expect(await keys.read(made)).toBeDefined();
  const updated = await keys.update(made, backend({ description: "two" }));
  expect((await keys.read(updated))?.state["description"]).toBe("two");
  await keys.delete(updated);
  expect(await keys.read(updated)).toBeUndefined();
});

it("leaves an undeclared description and template as they are", async () => {
  const made = await keys.create({ projectRef: ref, type: "secret", name: "backend" });
  updateOutside(made.id, { description: "by hand" });
  scenario.nextRun();
  const read = await keys.read(made);
  const inputs = { projectRef: ref, type: "secret", name: "worker" };
  expect([...keys.diff(read?.state ?? {}, inputs).changed]).toEqual(["name"]);
  await keys.update({ id: made.id, state: read?.state ?? {} }, inputs);
  expect(onService()).toMatchObject([
    { description: "by hand", secretJwtTemplate: { role: "service_role" } },
  ]);
});

it("tells the service at its deletion why, and changes that without a call", async () => {
  const made = await keys.create(backend());
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const updated = await keys.update(made, backend({ wasCompromised: true, reason: "leaked in a log" }));
  expect(scenario.calls()).toBe(0);
  await keys.delete(updated);
  expect(project()?.deletedApiKeys).toMatchObject([{ wasCompromised: true, reason: "leaked in a log" }]);
});

it("is replaced delete-first when its type changes", async () => {
  const made = await keys.create(backend());
  const inputs = { projectRef: ref, type: "publishable", name: "backend", description: "one" };
  expect(keys.diff(made.state, inputs)).toMatchObject({ replaces: ["type"], deleteBeforeReplace: true });
  await keys.delete(made);
  await keys.create(inputs);
  expect(onService()).toMatchObject([{ type: "publishable" }]);
});

it("does not make a second key of a name, and takes the first over when told to", async () => {
  const { id } = await keys.create(backend({ description: "somebody's", __owner: SOMEBODY }));
  scenario.nextRun();
  await expect(keys.create(backend())).rejects.toThrow(`adoptId: "${id}"`);
  const made = await keys.create(backend({ adopt: true }));
  expect(made.id).toBe(id);
  expect(onService()).toMatchObject([{ description: "one" }]);
});

// service, API keys: names are unique per type.
it("makes a key of the other type beside one of its name, and takes neither for the other", async () => {
  const secret = await keys.create(backend({ __owner: SOMEBODY }));
  scenario.nextRun();
  const publishable = { projectRef: ref, type: "publishable", name: "backend", description: "two" };
  const made = await keys.create({ ...publishable, adopt: true });
  expect(made.id).not.toBe(secret.id);
  expect(onService()).toMatchObject([
    { id: secret.id, type: "secret", description: "one" },
    { id: made.id, type: "publishable", description: "two" },
  ]);
});

// service, API keys: every new project has a publishable and a secret key of this name.
it.each(["publishable", "secret"])("takes over the project's own %s key `default`", async (type) => {
  const inputs = { projectRef: ref, type, name: "default", description: "ours" };
  const own = [...(project()?.apiKeys.values() ?? [])].find((key) => key.type === type);
  await expect(keys.create(inputs)).rejects.toThrow(`adoptId: "${own?.id ?? ""}"`);
  const made = await keys.create({ ...inputs, adopt: true });
  expect(made).toMatchObject({ id: own?.id, state: { apiKey: own?.apiKey } });
  expect(scenario.calls("createApiKey")).toBe(0);
  expect(own?.description).toBe("ours");
});

it("counts a key whose type the service does not tell as one that bears the name", async () => {
  const [shown] = scenario.emulator.control.call("listApiKeys", { ref });
  const untyped = { ...shown, id: "5a1f6f0e-0000-4000-8000-000000000001", name: "backend", type: null };
  scenario.emulator.control.addFault({ operation: "listApiKeys", status: 200, body: [untyped] });
  await expect(keys.create(backend())).rejects.toThrow(`adoptId: "${untyped.id}"`);
});

describe("in a listing that has keys without an id", () => {
  const answer = (...body: unknown[]): void => {
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 200, body });
  };

  it.each([{ type: "secret" }, { type: null }, {}])(
    "is not gone where it may be one of them: %j",
    async (more) => {
      const made = await keys.create(backend());
      answer({ name: "backend", ...more });
      await expect(keys.read(made)).rejects.toThrow("the answer has no ID of the key backend");
    },
  );

  it("is read beside them", async () => {
    const made = await keys.create(backend());
    answer({ id: made.id, name: "backend", type: "secret", description: "one" }, { name: "another" });
    await expect(keys.read(made)).resolves.toMatchObject({ id: made.id });
  });

  it("is gone beside the two of old, which have none", async () => {
    const made = await keys.create(backend());
    answer({ name: "anon" }, { name: "service_role", id: null, type: null });
    await expect(keys.read(made)).resolves.toBeUndefined();
  });

  it("is not made where one of them has its name", async () => {
    answer({ name: "backend" });
    await expect(keys.create(backend())).rejects.toThrow("the answer has no ID of the key backend");
    expect(onService()).toEqual([]);
    answer({ name: "another" });
    await expect(keys.create(backend())).resolves.toMatchObject({ state: { name: "backend" } });
  });
});

it("says what is wrong with its inputs", () => {
  expect(keys.failures(backend({ name: "Backend" }))[0]).toBe(
    'name: got "Backend"; expected 4 to 64 lowercase letters, digits and `_`, not beginning with a digit, as `mobile_app`',
  );
  expect(keys.failures(backend({ name: "abc" }))[0]).toContain("4 to 64 lowercase letters");
  expect(keys.failures(backend({ name: "a".repeat(300) }))[0]).toContain("4 to 64 lowercase letters");
  expect(keys.failures(backend({ type: "legacy" }))[0]).toContain('allowed: "publishable", "secret"');
  expect(keys.failures(backend({ type: "publishable", secretJwtTemplate: { role: "a" } }))).toEqual([
    "secretJwtTemplate: only a key of type `secret` can have a template: remove it, or set `type` to `secret`",
  ]);
});

it.each(["publishable", "secret"])("makes a %s key with a description in one go", async (type) => {
  const inputs = { projectRef: ref, type, name: "backend", description: "Used by the backend." };
  const made = await keys.create(inputs);
  const [key, ...others] = onService();
  expect(key).toMatchObject({ id: made.id, type, description: "Used by the backend." });
  expect(others).toEqual([]);
  expect(keys.diff(made.state, inputs).changes).toBe(false);
});

it("makes keys of both types side by side", async () => {
  const made = [
    await keys.create({ projectRef: ref, type: "publishable", name: "website" }),
    await keys.create({ projectRef: ref, type: "secret", name: "backend" }),
  ];
  expect(onService().map(({ type, name }) => [type, name])).toEqual([
    ["publishable", "website"],
    ["secret", "backend"],
  ]);
  expect(made.map(({ state }) => state["apiKey"])).toEqual(onService().map((key) => key.apiKey));
});

// service, API keys: what a token without the permission is answered is not known.
describe("a token that may not reveal", () => {
  it("names the permission where a revealing call is refused", async () => {
    scenario.emulator.control.addFault({ operation: "listApiKeys", status: 403, times: 5 });
    await expect(keys.create(backend())).rejects.toThrow(/`api_gateway_keys_secret_read`.*`reveal: false`/s);
  });

  it("reads no value with reveal false, and keeps the one in the state", async () => {
    const made = await keys.create(backend());
    const value = made.state["apiKey"];
    expect(String(value)).not.toContain("·");
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    const inputs = { ...backend(), reveal: false };
    const updated = await keys.update(made, { ...inputs, description: "another" });
    const read = await keys.read(updated);
    expect([updated.state["apiKey"], read?.state["apiKey"]]).toEqual([value, value]);
    const revealing = scenario.emulator.control
      .calls()
      .filter(({ sequence }) =>
        /reveal=true/.test(scenario.emulator.control.exchange(sequence)?.request.path ?? ""),
      );
    expect(revealing).toEqual([]);
  });

  it("has no value of a secret key that it made with reveal false", async () => {
    const made = await keys.create({ ...backend(), reveal: false });
    expect(made.state).not.toHaveProperty("apiKey");
    expect(made.state["prefix"]).toBeDefined();
  });

  it("reads it once reveal is true again, without a write", async () => {
    const made = await keys.create({ ...backend(), reveal: false });
    scenario.nextRun();
    const updated = await keys.update(made, backend());
    expect(updated.state["apiKey"]).toMatch(/^sb|^svc/);
    scenario.nextRun();
    const hidden = await keys.update(updated, { ...backend(), reveal: false });
    expect(hidden.state["apiKey"]).toBe(updated.state["apiKey"]);
    expect(scenario.calls("updateApiKey")).toBe(0);
  });
});

import { generateKeyPairSync } from "node:crypto";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { SettledResource } from "../../../provider/engine/create/create";
import type { Values } from "../../../provider/define/values";
import { fromWire, signingKey } from "../../../provider/resources/auth/signing-key/signing-key";
import { asDocumented } from "../../../tools/fixtures/documented-service";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let keys: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  keys = scenario.manage(signingKey);
});
afterEach(() => scenario.close());

const MINUTE_MS = 60_000;
const es256 = (more: Values = {}): Values => ({ projectRef: ref, algorithm: "ES256", ...more });
const ours = () =>
  [...(scenario.emulator.world.state.projects.get(ref)?.signingKeys.values() ?? [])].filter(
    ({ legacy }) => !legacy,
  );
const statusOf = (id: string): string | undefined => ours().find((key) => key.id === id)?.status;
const setOutside = (id: string, status: "in_use" | "previously_used" | "revoked" | "standby"): void => {
  scenario.emulator.control.call("updateSigningKey", { ref, id, body: { status } });
};
const makeOutside = (algorithm: "ES256" | "RS256", status: "in_use" | "standby"): string =>
  scenario.emulator.control.call("createSigningKey", { ref, body: { algorithm, status } }).id;
const EC_KEY = {
  ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
};

it.each<[string, unknown, unknown]>([
  [
    "a pair with its private half",
    { ...EC_KEY, kid: "k" },
    { kty: "EC", crv: "P-256", x: EC_KEY.x, y: EC_KEY.y, kid: "k" },
  ],
  [
    "an RSA pair",
    { kty: "RSA", n: "n", e: "AQAB", d: "d", p: "p", q: "q", dp: "d", dq: "d", qi: "i", oth: [{ d: "d" }] },
    { kty: "RSA", n: "n", e: "AQAB" },
  ],
  ["a shared secret", { kty: "oct", k: "secret" }, undefined],
  ["a secret of no type", { k: "secret" }, {}],
  ["a list", [{ kty: "EC" }], undefined],
  ["a text", "secret", undefined],
])("keeps the public half of what the service returns: %s", (_what, returned, kept) => {
  const record = { id: "i", algorithm: "ES256" as const, status: "standby" as const, public_jwk: returned };
  expect(fromWire(record as Parameters<typeof fromWire>[0]).outputs.publicJwk).toEqual(kept);
});

it("waits for each status, shows that another key took its place, and is deleted once it is replaced", async () => {
  const inputs = es256({ status: "standby" });
  const made = await keys.create(inputs);
  expect(ours()).toMatchObject([{ id: made.id, algorithm: "ES256", status: "standby" }]);
  expect(made.state).toMatchObject({ publicJwk: { kty: "EC" }, createdAt: expect.any(String) as string });

  scenario.nextRun();
  const changed = es256({ status: "in_use" });
  expect(keys.diff(made.state, changed)).toMatchObject({ replaces: [], properties: [{ path: "status" }] });
  const updated = await keys.update(made, changed);
  expect(statusOf(made.id)).toBe("in_use");

  scenario.clock.advance(10 * MINUTE_MS);
  makeOutside("RS256", "in_use");
  scenario.nextRun();
  const drifted = await keys.read(updated);
  expect(drifted?.inputs).toMatchObject({ status: "previously_used" });
  expect([...keys.diff(drifted?.state ?? {}, changed).changed]).toEqual(["status"]);
  const repaired = await keys.update({ id: made.id, state: drifted?.state ?? {} }, changed);
  expect(statusOf(made.id)).toBe("in_use");

  scenario.clock.advance(10 * MINUTE_MS);
  makeOutside("RS256", "in_use");
  await keys.delete(repaired);
  expect(statusOf(made.id)).toBeUndefined();
});

it("regression: shows the status of a key that declares none, and no drift when others rotate it", async () => {
  const made = await keys.create(es256());
  expect(made.state).toMatchObject({ status: "standby" });
  expect(statusOf(made.id)).toBe("standby");
  setOutside(made.id, "in_use");
  scenario.nextRun();
  const read = await keys.read(made);
  expect(keys.diff(read?.state ?? {}, es256()).changes).toBe(false);
  // A refresh shows it among the outputs alone.
  expect(read?.state).toEqual({ ...made.state, status: "in_use" });
});

it("is put in use as it is created, retiring the key before it", async () => {
  const before = makeOutside("ES256", "in_use");
  const made = await keys.create(es256({ status: "in_use" }));
  expect(statusOf(made.id)).toBe("in_use");
  expect(statusOf(before)).toBe("previously_used");
  expect(scenario.calls("updateSigningKey")).toBe(0);
});

describe("a change of status", () => {
  let made: SettledResource;
  beforeEach(async () => {
    made = await keys.create(es256({ status: "standby" }));
    scenario.emulator.control.clearCalls();
  });
  const updateTo = (status: string): Promise<SettledResource> => {
    scenario.nextRun();
    return keys.update(made, es256({ status }));
  };

  it("goes through the states in between, waiting out the pause", async () => {
    setOutside(made.id, "in_use");
    makeOutside("RS256", "in_use");
    const startedAt = scenario.clock.now();
    await keys.update(
      { id: made.id, state: { ...made.state, status: "previously_used" } },
      es256({ status: "in_use" }),
    );
    expect(statusOf(made.id)).toBe("in_use");
    const waitedMs = scenario.clock.now() - startedAt;
    expect(waitedMs).toBeGreaterThan(10 * MINUTE_MS);
    expect(scenario.calls("updateSigningKey")).toBeLessThan((8 * waitedMs) / MINUTE_MS);
    expect(scenario.progress.join("\n")).toMatch(
      /waiting for signing key .* to become standby: the last change was/,
    );
  });

  it("takes a revoked key back into use", async () => {
    made = await updateTo("revoked");
    await updateTo("in_use");
    expect(statusOf(made.id)).toBe("in_use");
  });

  it("that is impossible names the possible ones", async () => {
    await expect(updateTo("previously_used")).rejects.toThrow(
      `The signing key ${made.id} is standby and cannot be set to previously_used; possible: \`in_use\`, \`revoked\`.`,
    );
    expect(scenario.calls("updateSigningKey")).toBe(0);
  });

  it.each(["standby", "previously_used", "revoked"])(
    "of the key in use to %s says that another key has to take over",
    async (status) => {
      made = await updateTo("in_use");
      scenario.clock.advance(10 * MINUTE_MS);
      await expect(updateTo(status)).rejects.toThrow("Set another signing key to `in_use` first");
      expect(statusOf(made.id)).toBe("in_use");
    },
  );

  it("of the key in use happens when another resource of the run takes over", async () => {
    made = await updateTo("in_use");
    scenario.nextRun();
    const retiring = keys.update(made, es256({ status: "previously_used" }));
    const next = keys.create(es256({ status: "in_use" }));
    await Promise.all([retiring, next]);
    expect(statusOf(made.id)).toBe("previously_used");
  });

  it("to standby names the key that is it", async () => {
    made = await updateTo("revoked");
    const other = makeOutside("RS256", "standby");
    await expect(updateTo("standby")).rejects.toThrow(`because ${other} already is`);
    expect(statusOf(made.id)).toBe("revoked");
  });

  it("that fails is taken up by the next run", async () => {
    const error = await updateTo("previously_used").catch((caught: unknown) => caught);
    if (!(error instanceof InitializationError)) throw error;
    scenario.nextRun();
    const half = { id: error.id, state: error.state };
    expect(keys.diff(half.state, es256({ status: "in_use" })).changes).toBe(true);
    await keys.update(half, es256({ status: "in_use" }));
    expect(statusOf(made.id)).toBe("in_use");
  });

  it("gives up at the deadline and says what it waited for", async () => {
    setOutside(made.id, "in_use");
    makeOutside("RS256", "in_use");
    const inputs = es256({ status: "standby", timeouts: { update: 60 } });
    await expect(
      keys.update({ id: made.id, state: { ...made.state, status: "previously_used" } }, inputs),
    ).rejects.toThrow(/Timed out waiting for signing key .* to become standby/);
  });

  it("that the service refuses too soon in words of its own is sent again", async () => {
    scenario.emulator.control.addFault({
      operation: "updateSigningKey",
      status: 409,
      message: "Please wait",
    });
    await updateTo("in_use");
    expect(statusOf(made.id)).toBe("in_use");
  });
});

// service, Signing keys: a project made a moment ago.
describe("a key of a new project", () => {
  const newProject = (): string => {
    scenario.emulator.control.edit(asDocumented);
    const body = { name: "fresh", organization_slug: "acme", db_pass: "a-password" };
    const { ref: fresh } = scenario.emulator.control.call("createProject", { body });
    scenario.clock.advance(60_000);
    return fresh;
  };
  const projectOf = (fresh: string) => scenario.emulator.world.state.projects.get(fresh);

  it("is made when the time that the service names has come, with one call more", async () => {
    const fresh = newProject();
    const made = await keys.create({ projectRef: fresh, algorithm: "ES256" });
    const takenFrom = (projectOf(fresh)?.createdAt ?? 0) + 2 * MINUTE_MS;
    expect(projectOf(fresh)?.signingKeys.has(made.id)).toBe(true);
    expect(scenario.clock.now()).toBeGreaterThanOrEqual(takenFrom);
    expect(scenario.clock.now()).toBeLessThan(takenFrom + 3_000);
    expect(scenario.calls("createSigningKey")).toBe(2);
    expect(scenario.progress.join("\n")).toContain(
      `waiting for a new ES256 signing key: the service accepts it from ${new Date(takenFrom).toISOString()} on`,
    );
  });

  it("is not waited for where that time comes after the deadline: the error names it at once", async () => {
    const fresh = newProject();
    const startedAt = scenario.clock.now();
    const inputs = { projectRef: fresh, algorithm: "ES256", timeouts: { create: 30 } };
    const until = new Date((projectOf(fresh)?.createdAt ?? 0) + 2 * MINUTE_MS).toISOString();
    await expect(keys.create(inputs)).rejects.toThrow(
      `The service accepts a new ES256 signing key only from ${until} on, which is after the deadline`,
    );
    expect(scenario.clock.now() - startedAt).toBeLessThan(2_000);
    expect(scenario.calls("createSigningKey")).toBe(1);
    scenario.nextRun();
    await keys.create({ ...inputs, timeouts: undefined });
    expect(projectOf(fresh)?.signingKeys.size).toBe(2);
  });

  it("is asked for as before where the time is no time, or has passed when it is named", async () => {
    for (const message of ["Please wait until later", "Please wait until 2001-01-01T00:00:00Z"]) {
      scenario.emulator.control.addFault({ operation: "createSigningKey", status: 422, message });
    }
    await keys.create(es256());
    expect(ours()).toHaveLength(1);
    expect(scenario.calls("createSigningKey")).toBe(3);
  });
});

describe("its deletion", () => {
  it("revokes a standby key and waits until it can be deleted", async () => {
    const made = await keys.create(es256());
    const startedAt = scenario.clock.now();
    await keys.delete(made);
    expect(ours()).toEqual([]);
    const waitedMs = scenario.clock.now() - startedAt;
    expect(waitedMs).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    expect(scenario.calls("deleteSigningKey")).toBeLessThan((8 * waitedMs) / MINUTE_MS);
  });

  it("of the key in use says what to do, and changes nothing", async () => {
    const made = await keys.create(es256({ status: "in_use" }));
    await expect(keys.delete(made)).rejects.toThrow("set another signing key to `in_use` first");
    expect(statusOf(made.id)).toBe("in_use");
  });

  it("gives up at the deadline when the pause is longer", async () => {
    const inputs = es256({ timeouts: { delete: 120 } });
    const made = await keys.create(inputs);
    await expect(keys.delete(made)).rejects.toThrow(
      /Timed out waiting for signing key .* to become deletable/,
    );
    await keys.delete({ id: made.id, state: { ...made.state, timeouts: undefined } });
    expect(ours()).toEqual([]);
  });

  it("says so where the service does not let a standby key be revoked", async () => {
    const made = await keys.create(es256());
    scenario.emulator.control.edit((state) => void (state.signingKeyMoves.standby = ["in_use"]));
    await expect(keys.delete(made)).rejects.toThrow(
      "was not revoked, which it must be before it can be deleted",
    );
  });

  it("of the legacy key is refused at once", async () => {
    const made = await keys.create(es256());
    scenario.emulator.control.edit(({ projects }) => {
      const key = projects.get(ref)?.signingKeys.get(made.id);
      if (key) Object.assign(key, { legacy: true, status: "revoked" });
    });
    const startedAt = scenario.clock.now();
    await expect(keys.delete(made)).rejects.toThrow("legacy key, which cannot be deleted");
    expect(scenario.clock.now() - startedAt).toBeLessThan(MINUTE_MS);
  });
});

it("imports a private key and keeps it as a secret in state only", async () => {
  const inputs = es256({ privateJwk: EC_KEY });
  const made = await keys.create(inputs);
  expect(ours()).toMatchObject([{ publicJwk: { x: EC_KEY.x, y: EC_KEY.y } }]);
  scenario.nextRun();
  const read = await keys.read(made);
  expect(read?.state["privateJwk"]).toEqual(EC_KEY);
  expect(keys.diff(read?.state ?? {}, inputs).changes).toBe(false);
  expect(keys.diff(made.state, es256({ privateJwk: { ...EC_KEY, d: "another" } })).replaces).toEqual([
    "privateJwk",
  ]);
});

it("is replaced when its algorithm changes", async () => {
  const made = await keys.create(es256());
  const inputs = { projectRef: ref, algorithm: "RS256" };
  expect(keys.diff(made.state, inputs).replaces).toEqual(["algorithm"]);
  scenario.nextRun();
  await keys.read(made);
  await expect(keys.create(inputs)).rejects.toThrow("`deleteBeforeReplace: true`");
  expect(ours()).toHaveLength(1);
});

it("does not make a second standby key, and takes the first over when told to", async () => {
  const id = makeOutside("ES256", "standby");
  await expect(keys.create(es256())).rejects.toThrow(`adoptId: "${id}"`);
  const taken = await keys.create(es256({ adopt: true }));
  expect(taken.id).toBe(id);
  const moved = await keys.create(es256({ adoptId: id, status: "in_use" }));
  expect(ours()).toMatchObject([{ id: moved.id, status: "in_use" }]);
});

it("cannot begin as revoked or previously used", async () => {
  await expect(keys.create(es256({ status: "revoked" }))).rejects.toThrow("possible: `standby`, `in_use`");
  expect(ours()).toEqual([]);
});

it("waits for the project to be ready", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project)
      project.activity = { kind: "restart", since: scenario.clock.now(), outcome: "ACTIVE_HEALTHY" };
  });
  const made = await keys.create(es256());
  expect(statusOf(made.id)).toBe("standby");
});

it("does not take a key for gone when the listing is odd", async () => {
  const made = await keys.create(es256());
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "listSigningKeys", status: 200, body: {} });
  await expect(keys.read(made)).rejects.toThrow("the answer has no `keys`");
});

it("that a create without an answer has made is found where no key shows its algorithm", async () => {
  makeOutside("ES256", "in_use");
  const before = ours().map(({ id }) => id);
  const list = scenario.client.listSigningKeys.bind(scenario.client);
  jest.spyOn(scenario.client, "listSigningKeys").mockImplementation(async (...args) => {
    const answer = await list(...args);
    return { ...answer, keys: answer.keys?.map(({ algorithm: _algorithm, ...key }) => key) };
  });
  scenario.emulator.control.addFault({ operation: "createSigningKey", drop: "after" });
  const made = await keys.create(es256({ status: "in_use" })).catch((error: unknown) => error);
  scenario.nextRun();
  const known =
    made instanceof Error ? await keys.create(es256({ status: "in_use" })) : (made as SettledResource);
  const added = ours().filter(({ id }) => !before.includes(id));
  expect(added.map(({ id }) => id)).toEqual([known.id]);
});

it("says what is wrong with its inputs, and never a part of the key", () => {
  expect(keys.failures(es256({ algorithm: "none" }))[0]).toContain(
    'allowed: "EdDSA", "ES256", "RS256", "HS256"',
  );
  expect(keys.failures({ projectRef: ref, algorithm: "RS256", privateJwk: EC_KEY })).toEqual([
    "privateJwk: its `kty` is EC, but the algorithm RS256 needs RSA",
  ]);
  const odd = keys.failures(es256({ privateJwk: { ...EC_KEY, d: 12345, k: "k-part" } }));
  expect(odd.join("\n")).toContain("privateJwk.d");
  expect(odd.join("\n")).not.toMatch(/12345|k-part/);
  expect(keys.failures(es256({ statos: "in_use" }))).toEqual([
    "statos: unknown property; did you mean `status`?",
  ]);
});

it("waits when a change is refused, in whatever words, soon after another key was changed", async () => {
  const made = await keys.create(es256());
  makeOutside("RS256", "in_use");
  makeOutside("RS256", "in_use");
  scenario.nextRun();
  scenario.emulator.control.addFault({
    operation: "updateSigningKey",
    status: 422,
    message: "Not now",
    times: 2,
  });
  await keys.update(made, es256({ status: "in_use" }));
  expect(statusOf(made.id)).toBe("in_use");
  scenario.clock.advance(30 * MINUTE_MS);
  scenario.emulator.control.addFault({ operation: "updateSigningKey", status: 422, message: "Never" });
  const other = makeOutside("ES256", "standby");
  scenario.nextRun();
  scenario.clock.advance(30 * MINUTE_MS);
  await expect(keys.create(es256({ adoptId: other, status: "in_use" }))).rejects.toThrow("Never");
});

// service, Signing keys: the fourth used key is refused with 422, within minutes of the change before.
it("is refused at once where three keys are previously used", async () => {
  const used = (): number =>
    scenario.emulator.control
      .call("listSigningKeys", { ref })
      .keys.filter(({ status }) => status === "previously_used").length;
  while (used() < 3) makeOutside("ES256", "in_use");
  const began = scenario.clock.now();
  await expect(keys.create(es256({ status: "in_use" }))).rejects.toThrow(
    /as many previously used signing keys as it can.*There already are 3.*Revoke a previously used key/is,
  );
  expect(scenario.clock.now() - began).toBeLessThan(10_000);
});

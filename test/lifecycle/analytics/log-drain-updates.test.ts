import type { Values } from "../../../provider/define/values";
import { importResource } from "../../../provider/engine/import";
import type { SettledResource } from "../../../provider/engine/create/create";
import { logDrain } from "../../../provider/resources/analytics/log-drain/log-drain";
import { composeUpdate } from "../../../provider/resources/analytics/log-drain/wire";
import { CONFIGURATIONS, URL } from "./log-drain-configurations";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let drains: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  drains = scenario.manage(logDrain);
});
afterEach(() => scenario.close());

/** What the service may hide of a configuration, as it names it. */
const CREDENTIALS = [
  ...["access_key_id", "api_key", "api_token", "cipher_key", "client_key", "dsn", "headers", "password"],
  ...["secret_access_key", "structured_data"],
];
const ADDRESSES = ["url", "endpoint"];
const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A value that is changed, which is no credential; undefined of a kind that has nothing else. */
const CHANGES: Readonly<Record<string, Values | undefined>> = {
  webhook: { gzip: false },
  datadog: { region: "us" },
  loki: { username: "other" },
  sentry: undefined,
  axiom: { datasetName: "other" },
  syslog: { host: "other.example.com" },
  s3: { batchTimeout: 30 },
  last9: { region: "us" },
  otlp: { gzip: true },
};

const onService = () => {
  const found = scenario.emulator.world.state.projects.get(ref)?.logDrains;
  if (found === undefined) throw new Error("There is no such project");
  return found;
};
const only = () => {
  const [first] = onService().drains.values();
  if (first === undefined) throw new Error("There is no drain");
  return first;
};
const makeByHand = (kind: string, config: object): string =>
  scenario.emulator.control.call("createLogDrain", {
    ref,
    // The kinds of the table above are those of the document.
    body: {
      data: { type: "log_drain", attributes: { name: "archive", backend_type: kind, config } },
    } as never,
  }).data.id;
/** The answer of the following listings. */
const showNow = (attributes: object): void => {
  const body = { data: [{ type: "log_drain", id: only().id, attributes }] };
  scenario.emulator.control.clearFaults();
  scenario.emulator.control.addFault({ operation: "listLogDrains", status: 200, body, times: 20 });
};
const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const valuesOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesOf) : [String(value)];

type Origin = "made" | "adopted without credentials" | "adopted with credentials" | "imported";
const ORIGINS: readonly Origin[] = [
  "made",
  "adopted without credentials",
  "adopted with credentials",
  "imported",
];
const STEPS = ["rename", "change of a value", "change of a credential", "refresh"] as const;
const cases = Object.keys(CONFIGURATIONS).flatMap((kind) =>
  ORIGINS.flatMap((origin) =>
    (["plain", "masked", "no"] as const).map((shown) => [kind, origin, shown] as const),
  ),
);

describe.each(cases)(
  "a drain of the kind %s that was %s, with credentials shown as %s",
  (kind, origin, shown) => {
    const [configuration, config] = CONFIGURATIONS[kind] ?? [{}, {}];
    const secrets = Object.keys(config).filter((name) => CREDENTIALS.includes(name));
    const hidden = [...secrets, ...ADDRESSES].map(camel);
    const withoutCredentials = Object.fromEntries(
      Object.entries(configuration).filter(([name]) => !secrets.map(camel).includes(name)),
    );

    async function take(): Promise<{ made: SettledResource; inputs: Values }> {
      const common = { projectRef: ref, name: "archive" };
      if (origin === "made") {
        const inputs = { ...common, [kind]: configuration };
        return { made: await drains.create(inputs), inputs };
      }
      const id = makeByHand(kind, config);
      if (origin === "imported") {
        const found = await importResource(scenario.runtime, logDrain, `${ref}/${id}`, true);
        if (found === undefined) throw new Error("It was not found");
        return { made: { id: found.id, state: found.state }, inputs: found.inputs };
      }
      const own = origin === "adopted with credentials" ? configuration : withoutCredentials;
      const inputs = { ...common, [kind]: own, adoptId: id };
      return { made: await drains.create(inputs), inputs };
    }

    it.each(STEPS)("keeps at a %s what the program does not change, or is refused", async (step) => {
      onService().credentialsShown = shown;
      const { made, inputs } = await take();
      expect(only().config).toEqual(config);
      if (origin === "adopted with credentials" && secrets.length > 0)
        expect(scenario.infos.join()).toContain("recorded, not sent");
      scenario.nextRun();
      const before = { ...only() };
      const own = inputs[kind] as Values;
      if (step === "refresh") {
        const read = await drains.read(made);
        expect(drains.diff(read?.state ?? {}, inputs)).toMatchObject({ changes: false });
        expect(only()).toEqual(before);
        return;
      }
      const [credential] = secrets;
      const change =
        step === "change of a value"
          ? CHANGES[kind]
          : credential === undefined
            ? undefined
            : { [camel(credential)]: credential === "headers" ? { Z: "new-value" } : "new-value" };
      const next =
        step === "rename" ? { ...inputs, name: "new" } : { ...inputs, [kind]: { ...own, ...change } };
      scenario.infos.length = 0;
      const said = await messageOf(drains.update(made, next));
      for (const value of hidden.flatMap((name) => valuesOf(configuration[name])))
        expect(said + scenario.infos.join()).not.toContain(value.length > 3 ? value : `"${value}"`);
      if (said !== "") {
        expect(origin).toMatch(/^(?:imported|adopted without)/);
        expect(step).not.toBe("rename");
        expect(said).toMatch(/declares no value of `\w+\.\w+`.* Nothing was changed\. Declare each/s);
        expect(only()).toEqual(before);
        return;
      }
      if (step === "rename") {
        expect(only()).toEqual({ ...before, name: "new" });
        return;
      }
      // A first value of a credential is recorded only.
      const isFirst =
        step === "change of a credential" && credential !== undefined && own[camel(credential)] === undefined;
      const changed = Object.fromEntries(
        Object.entries(change ?? {}).map(([name, value]) => [
          name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          value,
        ]),
      );
      expect(only().config).toEqual(isFirst ? config : { ...config, ...changed });
    });
  },
);

describe("a change of the configuration", () => {
  const MADE = { name: "archive", loki: { url: URL } };
  const make = (): Promise<SettledResource> => drains.create({ projectRef: ref, ...MADE });
  const moved = (): Values => ({ projectRef: ref, ...MADE, loki: { url: `${URL}/new` } });

  it.each(["********", "•••••", "ten...", "[REDACTED]", "tenant…"])(
    "does not write %s over what it stands for",
    async (mask) => {
      const made = await make();
      only().config["username"] = "tenant-1";
      scenario.nextRun();
      showNow({ name: "archive", backend_type: "loki", config: { url: URL, username: mask } });
      const before = { ...only(), config: { ...only().config } };
      const said = await messageOf(drains.update(made, moved()));
      expect(said).toContain("declares no value of `loki.username`");
      expect(said).toContain("take it out in the service's console");
      expect(only()).toEqual(before);
      await drains.update(made, { ...moved(), loki: { url: URL, username: "tenant-2" } });
      expect(only().config).toEqual({ url: URL, username: "tenant-2" });
    },
  );

  it("keeps a certificate that is shown masked by a refusal", async () => {
    const made = await drains.create({ projectRef: ref, name: "archive", syslog: { host: "h", port: 1 } });
    only().config["client_cert"] = "CERT";
    scenario.nextRun();
    showNow({ name: "archive", backend_type: "syslog", config: { host: "h", port: 1, client_cert: "***" } });
    const said = await messageOf(
      drains.update(made, { projectRef: ref, name: "archive", syslog: { host: "other", port: 1 } }),
    );
    expect(said).toContain("`syslog.clientCert`");
    expect(only().config).toEqual({ host: "h", port: 1, client_cert: "CERT" });
  });

  it("sends a field that this version does not know as it is shown", () => {
    const config = { url: URL, username: "of-a-colleague", tenant_id: "of-a-colleague", nothing: null };
    const attributes = { name: "archive", backend_type: "loki" as const, config };
    const { attributes: sent } = composeUpdate(
      { projectRef: ref, name: "archive", loki: { url: `${URL}/new` } },
      "loki",
      { loki: { url: URL } },
      {
        shown: { type: "log_drain", id: "1", attributes },
        isAdopted: false,
        changed: new Set(["loki"]),
      },
    );
    expect(sent).toEqual({
      ...attributes,
      config: { url: `${URL}/new`, username: "of-a-colleague", tenant_id: "of-a-colleague" },
    });
  });

  it.each([["********"], [{ id: "***" }]])("is refused where such a field is hidden: %j", async (value) => {
    const made = await make();
    scenario.nextRun();
    showNow({ name: "archive", backend_type: "loki", config: { url: URL, "tenant\n_id": value } });
    const said = await messageOf(drains.update(made, moved()));
    expect(said).toContain(String.raw`hides the value of "tenant\n_id"`);
    expect(scenario.calls("updateLogDrain")).toBe(0);
  });

  it("is refused where the drain has become one of another kind, and so is a rename", async () => {
    const made = await make();
    only().backendType = "datadog";
    only().config = { api_key: "of-others" };
    scenario.nextRun();
    const before = { ...only() };
    for (const inputs of [moved(), { ...moved(), ...MADE, name: "new" }])
      expect(await messageOf(drains.update(made, inputs))).toContain('as the kind "datadog"');
    expect(only()).toEqual(before);
  });
});

describe("a credential of an adopted drain", () => {
  const adopt = (kind: string, config: object, own: Values): Promise<SettledResource> =>
    drains.create({ projectRef: ref, name: "archive", adoptId: makeByHand(kind, config), [kind]: own });
  const inputsOf = (made: SettledResource, more: Values): Values => ({
    projectRef: ref,
    name: "archive",
    adoptId: made.id,
    ...more,
  });

  it("that is not shown refuses a change until the program says that there is none", async () => {
    onService().credentialsShown = "no";
    const made = await adopt("loki", { url: URL, username: "u" }, { url: URL });
    scenario.nextRun();
    const said = await messageOf(drains.update(made, inputsOf(made, { loki: { url: URL, username: "x" } })));
    expect(said).toContain("`loki.password`, `loki.headers`");
    const none = { url: URL, username: "x", password: "", headers: {} };
    const next = await drains.update(made, inputsOf(made, { loki: none }));
    expect(only().config).toEqual({ url: URL, username: "x" });
    expect(drains.diff(next.state, inputsOf(made, { loki: none })).changes).toBe(false);
  });

  it("that is shown is there, whatever the program says", async () => {
    const config = { url: URL, password: "of-others" };
    const made = await adopt("loki", config, { url: URL, password: "", headers: {} });
    scenario.nextRun();
    const loki = { url: URL, username: "x", password: "", headers: {} };
    expect(await messageOf(drains.update(made, inputsOf(made, { loki })))).toContain("`loki.password`");
    expect(only().config).toEqual(config);
  });

  it("that is declared first is recorded, and sent along with another value only, which is said", async () => {
    const made = await adopt("datadog", { api_key: "of-others", region: "eu" }, { region: "eu" });
    scenario.nextRun();
    const datadog = { region: "eu", apiKey: "assumed-key" };
    expect(drains.diff(made.state, inputsOf(made, { datadog }))).toMatchObject({
      recorded: ["datadog.apiKey"],
      sentAlong: [],
    });
    const next = await drains.update(made, inputsOf(made, { datadog }));
    expect(scenario.calls("updateLogDrain")).toBe(0);
    const other = { ...datadog, region: "us" };
    expect(drains.diff(next.state, inputsOf(made, { datadog: other }))).toMatchObject({
      recorded: [],
      sentAlong: ["datadog.apiKey"],
    });
    await drains.update(next, inputsOf(made, { datadog: other }));
    expect(only().config).toEqual({ api_key: "assumed-key", region: "us" });
  });

  it("is sent along where the adoption changes another value, which is said", async () => {
    await adopt("datadog", { api_key: "of-others", region: "eu" }, { region: "us", apiKey: "assumed-key" });
    expect(scenario.infos.join()).toContain("`datadog.apiKey`: sent along");
    expect(scenario.infos.join()).not.toContain("recorded, not sent");
    expect(only().config).toEqual({ api_key: "assumed-key", region: "us" });
  });
});

describe("an answer", () => {
  it.each([
    { name: 5, backend_type: 5, config: [] },
    { name: "archive", backend_type: {}, config: { region: "us" } },
    { name: "archive", backend_type: null },
  ])("without a kind that can be read leaves the declared configuration: %j", async (attributes) => {
    const inputs = { projectRef: ref, name: "archive", datadog: { apiKey: "key-1234567", region: "us" } };
    const made = await drains.create(inputs);
    scenario.nextRun();
    showNow(attributes);
    const read = await drains.read(made);
    expect(read?.state).toMatchObject({ name: "archive", datadog: inputs.datadog, backendType: "datadog" });
  });

  it("with a kind that this version does not know leaves it too", async () => {
    const inputs = { projectRef: ref, name: "archive", datadog: { apiKey: "key-1234567", region: "us" } };
    const made = await drains.create(inputs);
    scenario.nextRun();
    showNow({ name: "archive", backend_type: "a-kind-of-tomorrow", config: {} });
    const read = await drains.read(made);
    expect(read?.state).toMatchObject({ datadog: inputs.datadog, backendType: "a-kind-of-tomorrow" });
  });

  it("with a mask of a declared value is no difference", async () => {
    const inputs = { projectRef: ref, name: "archive", loki: { url: URL, username: "me" } };
    const made = await drains.create(inputs);
    scenario.nextRun();
    showNow({ name: "archive", backend_type: "loki", config: { url: URL, username: "********" } });
    expect(drains.diff((await drains.read(made))?.state ?? {}, inputs).changes).toBe(false);
  });
});

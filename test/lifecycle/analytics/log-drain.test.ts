import { checkInputs } from "../../../provider/engine/check";
import { importResource } from "../../../provider/engine/import";
import { listResources } from "../../../provider/engine/list";
import { UNKNOWN } from "../../../provider/define/unknown";
import { NotDeclarableError } from "../../../provider/define/resource";
import type { Values } from "../../../provider/define/values";
import { logDrain } from "../../../provider/resources/analytics/log-drain/log-drain";
import { KINDS } from "../../../provider/resources/analytics/log-drain/shapes";
import { CONFIGURATIONS, URL, WEBHOOK } from "./log-drain-configurations";
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

const declared = (more: Values = { webhook: WEBHOOK }): Values => ({
  projectRef: ref,
  name: "archive",
  ...more,
});
const logDrains = () => {
  const found = scenario.emulator.world.state.projects.get(ref)?.logDrains;
  if (found === undefined) throw new Error("There is no such project");
  return found;
};
const onService = () => [...logDrains().drains.values()];
const makeByHand = (attributes: object = {}): string =>
  scenario.emulator.control.call("createLogDrain", {
    ref,
    body: {
      data: {
        type: "log_drain",
        attributes: {
          name: "archive",
          backend_type: "datadog",
          config: { api_key: "a-key-of-others", region: "eu" },
          ...attributes,
        },
      },
    },
  }).data.id;
const readNow = async (made: Awaited<ReturnType<Managed["create"]>>) => {
  scenario.nextRun();
  const found = await drains.read(made);
  if (found === undefined) throw new Error("It is gone");
  return found;
};

it("has a configuration of each kind here", () => {
  expect(Object.keys(CONFIGURATIONS)).toEqual(KINDS);
});

describe.each(Object.entries(CONFIGURATIONS))("a drain of the kind %s", (kind, [configuration, config]) => {
  it.each(["plain", "masked", "no"] as const)(
    "has no difference where credentials are shown as %s",
    async (shown) => {
      logDrains().credentialsShown = shown;
      const inputs = declared({ description: "All logs", [kind]: configuration });
      const made = await drains.create(inputs);
      expect(onService()).toEqual([
        { id: made.id, name: "archive", description: "All logs", backendType: kind, config },
      ]);
      const read = await readNow(made);
      expect(drains.diff(read.state, inputs)).toMatchObject({ changes: false, properties: [] });
      expect(read.state[kind]).toEqual(configuration);
      const changed = { ...inputs, name: "renamed" };
      expect(drains.diff(read.state, changed)).toMatchObject({ replaces: [] });
      await drains.update(read, changed);
      expect(onService()).toMatchObject([{ name: "renamed", backendType: kind, config }]);
    },
  );

  it("has no difference where the answer has no configuration, or nothing in it", async () => {
    const inputs = declared({ description: "All logs", [kind]: configuration });
    const made = await drains.create(inputs);
    const emptied = Object.fromEntries(Object.keys(config).map((name) => [name, null]));
    const attributes = { name: "archive", description: "All logs", backend_type: kind };
    for (const sparse of [
      { ...attributes, config: {} },
      { ...attributes, config: null },
      { ...attributes, config: emptied },
      attributes,
      { name: "archive" },
      {},
    ]) {
      const body = { data: [{ type: "log_drain", id: made.id, attributes: sparse }] };
      scenario.emulator.control.addFault({ operation: "listLogDrains", status: 200, body });
      const read = await readNow(made);
      expect(drains.diff(read.state, inputs)).toMatchObject({ changes: false });
    }
  });

  it("is imported without its credentials, and is declared so", async () => {
    const { id } = await drains.create(declared({ [kind]: configuration }));
    logDrains().credentialsShown = "plain";
    scenario.nextRun();
    const found = await importResource(scenario.runtime, logDrain, `${ref}/${id}`, true);
    expect(found?.inputs).toMatchObject({ projectRef: ref, name: "archive", backendType: kind });
    expect(JSON.stringify(found)).not.toMatch(/1234567|token@1|key@errors|a-header-value/);
    const { backendType: _, ...inputs } = found?.inputs ?? {};
    expect(drains.failures(inputs)).toEqual([]);
    expect(drains.diff(found?.state ?? {}, inputs)).toMatchObject({ changes: false });
  });
});

describe("the configurations", () => {
  it("are exactly one, and those that are not known yet count", () => {
    const [none = ""] = drains.failures(declared({}));
    expect(none).toMatch(
      /^webhook: a log drain has one of `webhook`, `datadog`, .*`otlp`, and the program declares none$/,
    );
    const [two = ""] = drains.failures(declared({ webhook: WEBHOOK, datadog: { region: "eu" } }));
    expect(two).toContain("datadog: `webhook`, `datadog` cannot be combined");
    expect(drains.checked(declared({ webhook: UNKNOWN }))).toMatchObject({ backendType: "webhook" });
    const [unknown = ""] = drains.failures(declared({ webhook: UNKNOWN, sentry: { dsn: UNKNOWN } }));
    expect(unknown).toContain("sentry: `webhook`, `sentry` cannot be combined");
  });

  it("of another kind replace the drain, which is deleted last", async () => {
    const made = await drains.create(declared());
    const other = declared({ datadog: { apiKey: "key-1234567" } });
    const found = drains.diff(made.state, other);
    expect(found).toMatchObject({ replaces: ["backendType"], deleteBeforeReplace: false });
    await readNow(made);
    const second = await drains.create(other);
    await drains.delete(made);
    expect(onService()).toMatchObject([{ id: second.id, backendType: "datadog" }]);
  });

  it("take a value that this version does not know, with a warning", () => {
    const inputs = declared({ syslog: { port: 70_000 } });
    const { warnings, failures } = checkInputs(logDrain, inputs);
    expect(failures).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("syslog.port")]);
    const { warnings: ofHttp } = checkInputs(logDrain, declared({ webhook: { http: "http3" } }));
    expect(ofHttp).toEqual([expect.stringContaining("webhook.http")]);
  });
});

describe("a change by hand", () => {
  const edit = (change: (drain: ReturnType<typeof onService>[number]) => void): void =>
    scenario.emulator.control.edit(() => onService().forEach(change));
  const changedOf = async (change: Parameters<typeof edit>[0], inputs = declared()): Promise<string[]> => {
    const made = await drains.create(inputs);
    edit(change);
    const read = await readNow(made);
    return drains.diff(read.state, inputs).properties.map(({ path }) => path);
  };

  it("of what is shown is a difference", async () => {
    const inputs = declared({ description: "one", webhook: WEBHOOK });
    const made = await drains.create(inputs);
    edit((drain) => {
      drain.name = "by hand";
      drain.description = "by hand";
      drain.config = { ...drain.config, gzip: false, http: "http1", url: "https://elsewhere.example.com/" };
    });
    const read = await readNow(made);
    expect(
      drains
        .diff(read.state, inputs)
        .properties.map(({ path }) => path)
        .sort(),
    ).toEqual(["description", "name", "webhook.gzip", "webhook.http", "webhook.url"].sort());
    await drains.update(read, inputs);
    expect(onService()).toMatchObject([{ name: "archive", description: "one", config: WEBHOOK }]);
  });

  it("of the kind is a replacement", async () => {
    const inputs = declared();
    const made = await drains.create(inputs);
    edit((drain) => {
      drain.backendType = "datadog";
      drain.config = { region: "eu" };
    });
    const read = await readNow(made);
    expect(drains.diff(read.state, inputs).replaces).toEqual(["backendType"]);
  });

  it("to a kind that no program can declare replaces nothing", async () => {
    const inputs = declared();
    const made = await drains.create(inputs);
    edit((drain) => {
      drain.backendType = "bigquery";
      drain.config = {};
    });
    const read = await readNow(made);
    expect(() => drains.diff(read.state, inputs)).toThrow("bigquery");
  });

  it.each([
    ["a password in it", "https://user:secret-word@logs.example.com/ingest"],
    ["a mask in it", "https://logs.example.com/********"],
    ["a token in it", "https://logs.example.com/ingest?token=secret-word"],
    ["no address in it", "[redacted]"],
  ])("is no difference of an address that is shown with %s", async (_, url) => {
    expect(await changedOf(({ config }) => void (config["url"] = url))).toEqual([]);
  });

  it("of what the program does not declare stays, also through an update", async () => {
    const inputs = declared({ webhook: { url: URL, headers: { "X-Key": "a-header-value" } } });
    const made = await drains.create(inputs);
    edit((drain) => {
      drain.description = "by hand";
      drain.config = { ...drain.config, gzip: true };
    });
    const read = await readNow(made);
    expect(drains.diff(read.state, inputs).changes).toBe(false);
    await drains.update(read, { ...inputs, name: "other" });
    expect(onService()).toMatchObject([
      { name: "other", description: "by hand", config: { url: URL, gzip: true } },
    ]);
  });

  it("that sets a credential which the program does not declare refuses an update, and loses nothing", async () => {
    const inputs = declared({ loki: { url: URL, username: "me" } });
    const made = await drains.create(inputs);
    edit(({ config }) => void (config["password"] = "of-somebody-else"));
    const read = await readNow(made);
    const other = { ...inputs, loki: { url: URL, username: "other" } };
    await expect(drains.update(read, other)).rejects.toThrow("`loki.password`");
    expect(onService()).toMatchObject([{ name: "archive", config: { password: "of-somebody-else" } }]);
  });
});

describe("what is taken out of the program", () => {
  it("is no longer sent, and a description is emptied", async () => {
    const inputs = declared({ description: "one", webhook: WEBHOOK });
    const made = await drains.create(inputs);
    const other = declared({ webhook: { url: URL } });
    expect([...drains.diff(made.state, other).changed].sort()).toEqual(["description", "webhook"]);
    const updated = await drains.update(made, other);
    expect(onService()).toMatchObject([{ description: "", config: { url: URL } }]);
    expect(onService()[0]?.config).toEqual({ url: URL });
    expect(drains.diff((await readNow(updated)).state, other).changes).toBe(false);
  });
});

describe("a drain of somebody else", () => {
  it.each(["bigquery", "a-kind-of-tomorrow"])("of the kind %s is listed and never touched", async (kind) => {
    const id = makeByHand();
    const attributes = { name: "archive", backend_type: kind, config: { project_id: "x" } };
    const show = (): void => {
      scenario.emulator.control.clearFaults();
      const { data } = scenario.emulator.control.call("listLogDrains", { ref });
      const shown = data.map((each) => (each.id === id ? { ...each, attributes } : each));
      scenario.emulator.control.addFault({
        operation: "listLogDrains",
        status: 200,
        body: { data: shown },
        times: 100,
      });
    };
    show();
    const made = await drains.create(declared());
    show();
    scenario.nextRun();
    const ctx = scenario.runtime;
    const listed = await listResources(ctx, logDrain, { projectRef: ref });
    expect(listed.map(({ name }) => name).sort()).toEqual([`archive (${kind})`, "archive (webhook)"].sort());
    const importing = importResource(ctx, logDrain, `${ref}/${id}`, true);
    await expect(importing).rejects.toThrow(NotDeclarableError);
    await expect(importing).rejects.toThrow(`of the kind "${kind}", which no program can declare`);
    await drains.delete(made);
    expect(onService().map((each) => each.id)).toEqual([id]);
  });

  it("of the same name and kind is refused, and adopted where the program says so", async () => {
    const id = makeByHand();
    const inputs = declared({ datadog: { region: "eu" } });
    await expect(drains.create(inputs)).rejects.toThrow(id);
    const made = await drains.create({ ...inputs, adopt: true });
    expect(made.id).toBe(id);
    expect(onService()).toMatchObject([{ id, config: { api_key: "a-key-of-others", region: "eu" } }]);
    const moved = { ...inputs, datadog: { region: "us" } };
    logDrains().credentialsShown = "no";
    scenario.nextRun();
    await expect(drains.update(made, moved)).rejects.toThrow("`datadog.apiKey`");
    await drains.update(made, { ...moved, datadog: { region: "us", apiKey: "key-1234567" } });
    expect(onService()).toMatchObject([{ config: { api_key: "key-1234567", region: "us" } }]);
  });

  it("of the same name and another kind is not in the way", async () => {
    makeByHand();
    await drains.create(declared());
    expect(onService()).toHaveLength(2);
  });
});

describe("a service without log drains", () => {
  it("says that the installation lacks the operation, and takes nothing for gone", async () => {
    const made = await drains.create(declared());
    scenario.emulator.control.set("newerOperationsOffered", false);
    scenario.nextRun();
    const lacks = "This installation does not have the operation listLogDrains";
    await expect(drains.read(made)).rejects.toThrow(lacks);
    await expect(drains.create(declared({ sentry: {} }))).rejects.toThrow(lacks);
    await expect(drains.delete(made)).rejects.toThrow("deleteLogDrain");
  });

  it("says that the plan lacks them, of a create only", async () => {
    const made = await drains.create(declared());
    scenario.emulator.control.set("organizations.acme.plan", "free");
    await readNow(made);
    await expect(drains.create(declared({ sentry: {} }))).rejects.toThrow(
      "The organization's plan does not include this",
    );
    await drains.update(await readNow(made), declared({ webhook: { ...WEBHOOK, gzip: false } }));
    await drains.delete(made);
    expect(onService()).toEqual([]);
  });

  it("says that it answers 404 although the project exists", async () => {
    const made = await drains.create(declared());
    scenario.emulator.control.addFault({
      operation: "listLogDrains",
      status: 404,
      body: { error: { code: "not_found", message: "Not Found" } },
      times: 10,
    });
    scenario.nextRun();
    await expect(drains.read(made)).rejects.toThrow(
      `The service answers 404 for the log drains of the project ${ref}, which exists`,
    );
  });

  it("repeats no credential that a refusal quotes", async () => {
    const message = `config: ${JSON.stringify(CONFIGURATIONS)}`;
    const error = { code: "validation_failed", message: "no", issues: [{ code: "bad_request", message }] };
    for (const [kind, [configuration]] of Object.entries(CONFIGURATIONS)) {
      if (kind === "sentry") continue;
      scenario.emulator.control.addFault({ operation: "createLogDrain", status: 400, body: { error } });
      const failure = await drains.create(declared({ [kind]: configuration })).catch(String);
      const secrets = ["apiKey", "password", "apiToken", "cipherKey", "clientKey", "secretAccessKey"];
      for (const name of secrets)
        if (name in configuration) expect(failure).not.toContain(String(configuration[name]));
      expect(failure).toContain("config: ");
    }
  });
});

it("warns of nothing and deletes only its own", async () => {
  const made = await drains.create(declared());
  const others = makeByHand();
  await drains.delete(made);
  expect(onService().map(({ id }) => id)).toEqual([others]);
  scenario.nextRun();
  await drains.delete(made);
  expect(onService()).toHaveLength(1);
});

it("is not taken for deleted where the listing still has it after a 404", async () => {
  const made = await drains.create(declared());
  scenario.emulator.control.addFault({
    operation: "deleteLogDrain",
    status: 404,
    body: { error: { code: "not_found", message: "Not Found" } },
    times: 10,
  });
  await expect(drains.delete(made)).rejects.toThrow("The listing still has the log drain");
});

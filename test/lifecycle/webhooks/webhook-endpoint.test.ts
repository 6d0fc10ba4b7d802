import type { Values } from "../../../provider/define/values";
import { webhookEndpoint } from "../../../provider/resources/webhooks/webhook-endpoint/webhook-endpoint";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let endpoints: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  endpoints = scenario.manage(webhookEndpoint);
});
afterEach(() => scenario.close());

const URL = "https://hooks.example.com/platform";
const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  url: URL,
  eventTypes: ["v1.project.paused", "v1.project.restored"],
  ...more,
});
const webhooks = () => {
  const found = scenario.emulator.world.state.projects.get(ref)?.webhooks;
  if (found === undefined) throw new Error("There is no such project");
  return found;
};
const onService = () => [...webhooks().endpoints.values()];
const makeByHand = (attributes: object = {}): string =>
  scenario.emulator.control.call("createProjectWebhookEndpoint", {
    ref,
    body: {
      data: {
        type: "endpoint",
        attributes: {
          ...{ url: URL, event_types: [{ type: "*" }], signing_secret: "of-somebody-else" },
          ...attributes,
        },
      },
    },
  }).data.id;

it("sends what is declared, and changes only what changed", async () => {
  const inputs = declared({ signingSecret: "first-secret", customHeaders: { "X-Team": "a" }, enabled: true });
  const made = await endpoints.create(inputs);
  expect(onService()).toMatchObject([
    {
      id: made.id,
      url: URL,
      enabled: true,
      description: null,
      customHeaders: { "X-Team": "a" },
      signingSecret: "first-secret",
    },
  ]);
  expect(made.state).toMatchObject({ secret: "first-secret", createdAt: expect.any(String) as string });

  // Somebody's change of what the program does not declare stays.
  scenario.emulator.control.edit(() => onService().forEach((each) => void (each.description = "by hand")));
  const moved = { ...inputs, url: "https://hooks.example.com/other", signingSecret: "second-secret" };
  expect(endpoints.diff(made.state, moved)).toMatchObject({ replaces: [] });
  const updated = await endpoints.update(made, moved);
  expect(onService()).toMatchObject([
    { url: "https://hooks.example.com/other", description: "by hand", signingSecret: "second-secret" },
  ]);
  expect(updated.state).toMatchObject({ secret: "second-secret" });

  scenario.nextRun();
  const read = await endpoints.read(updated);
  expect(endpoints.diff(read?.state ?? {}, moved).changes).toBe(false);
});

it("takes away what is taken out of the program, and leaves the secret", async () => {
  const inputs = declared({ description: "one", customHeaders: { A: "b" }, signingSecret: "first-secret" });
  const made = await endpoints.create(inputs);
  const updated = await endpoints.update(made, declared());
  expect(onService()).toMatchObject([
    { description: null, customHeaders: {}, signingSecret: "first-secret" },
  ]);
  expect(updated.state["secret"]).toBe("first-secret");
});

it("takes the order of event types and the case of headers for nothing", async () => {
  const made = await endpoints.create(declared({ customHeaders: { "X-Team": "a" } }));
  const other = declared({
    eventTypes: ["v1.project.restored", "v1.project.paused"],
    customHeaders: { "x-team": "a" },
  });
  expect(endpoints.diff(made.state, other).changes).toBe(false);
});

it("sends an event type that it does not know, and keeps one that it finds", async () => {
  const made = await endpoints.create(declared({ eventTypes: ["*"] }));
  const { attributes } = scenario.emulator.control.call("getProjectWebhookEndpoint", {
    ref,
    id: made.id,
  }).data;
  const data = [
    { type: "endpoint", id: made.id, attributes: { ...attributes, event_types: [{ type: "v2.new" }] } },
  ];
  scenario.emulator.control.addFault({
    operation: "listProjectWebhookEndpoints",
    status: 200,
    body: { data, links: { prev: null, next: null } },
  });
  scenario.nextRun();
  const read = await endpoints.read(made);
  expect(read?.inputs).toMatchObject({ eventTypes: ["v2.new"] });
});

describe("the signing secret", () => {
  it("is generated where none is declared, and equals that of the service", async () => {
    const made = await endpoints.create(declared());
    const [{ signingSecret } = { signingSecret: "" }] = onService();
    expect(signingSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(made.state["secret"]).toBe(signingSecret);
    scenario.nextRun();
    expect((await endpoints.read(made))?.state["secret"]).toBe(signingSecret);
  });

  it("is another one after a create without an answer, as nobody knows the first one", async () => {
    scenario.emulator.control.addFault({ operation: "createProjectWebhookEndpoint", drop: "after" });
    const made = await endpoints.create(declared());
    expect(onService()).toHaveLength(1);
    expect(made.state["secret"]).toBe(onService()[0]?.signingSecret);
    expect(scenario.calls("updateProjectWebhookEndpoint")).toBe(1);
  });

  it("of an adopted endpoint stays, and is not known", async () => {
    makeByHand({ event_types: [{ type: "v1.project.paused" }, { type: "v1.project.restored" }] });
    const made = await endpoints.create(declared({ adopt: true }));
    expect(onService()).toMatchObject([{ id: made.id, signingSecret: "of-somebody-else" }]);
    expect(made.state).not.toHaveProperty("secret");
  });
});

describe("custom headers", () => {
  it.each(["masked", "no"] as const)("show no drift where the service shows them as %s", async (shown) => {
    const inputs = declared({ customHeaders: { Authorization: "Bearer a-token" } });
    const made = await endpoints.create(inputs);
    webhooks().customHeadersShown = shown;
    scenario.nextRun();
    const read = await endpoints.read(made);
    expect(endpoints.diff(read?.state ?? {}, inputs).changes).toBe(false);
  });

  it("show one that was added by hand, though values are masked", async () => {
    const inputs = declared({ customHeaders: { Authorization: "Bearer a-token" } });
    const made = await endpoints.create(inputs);
    webhooks().customHeadersShown = "masked";
    scenario.emulator.control.edit(() =>
      onService().forEach(({ customHeaders }) => void (customHeaders["X-More"] = "more")),
    );
    scenario.nextRun();
    const read = await endpoints.read(made);
    expect([...endpoints.diff(read?.state ?? {}, inputs).changed]).toEqual(["customHeaders"]);
  });
});

describe("endpoints of the same address", () => {
  it("are two where their events differ", async () => {
    makeByHand();
    await endpoints.create(declared());
    expect(onService()).toHaveLength(2);
  });

  it("are refused where their events are the same", async () => {
    const id = makeByHand({ event_types: [{ type: "v1.project.restored" }, { type: "v1.project.paused" }] });
    await expect(endpoints.create(declared())).rejects.toThrow(id);
    expect(onService()).toHaveLength(1);
  });
});

describe("a listing of several pages", () => {
  it("is read whole, and a page that repeats is read once", async () => {
    for (let count = 0; count < 45; count += 1) makeByHand({ url: `https://others.example.com/${count}` });
    const made = await endpoints.create(declared());
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    expect(await endpoints.read(made)).toBeDefined();
    expect(scenario.calls("listProjectWebhookEndpoints")).toBe(3);

    const first = scenario.emulator.control.call("listProjectWebhookEndpoints", { ref });
    scenario.emulator.control.addFault({
      operation: "listProjectWebhookEndpoints",
      status: 200,
      body: first,
      times: 100,
    });
    scenario.nextRun();
    scenario.emulator.control.clearCalls();
    expect(await endpoints.read(made)).toBeDefined();
    expect(scenario.calls("listProjectWebhookEndpoints")).toBeLessThan(5);
  });

  it("does not prove that what moved from page to page is gone", async () => {
    const made = await endpoints.create(declared());
    scenario.emulator.control.addFault({
      operation: "listProjectWebhookEndpoints",
      status: 200,
      body: { data: [], links: { prev: null, next: null } },
    });
    scenario.nextRun();
    expect(await endpoints.read(made)).toBeDefined();
    scenario.emulator.control.edit(() => webhooks().endpoints.clear());
    scenario.nextRun();
    expect(await endpoints.read(made)).toBeUndefined();
  });
});

describe("a service without webhooks", () => {
  it("says that the installation lacks the operation, and takes nothing for gone", async () => {
    const made = await endpoints.create(declared());
    scenario.emulator.control.set("newerOperationsOffered", false);
    scenario.nextRun();
    const lacks = "This installation does not have the operation listProjectWebhookEndpoints";
    await expect(endpoints.read(made)).rejects.toThrow(lacks);
    await expect(endpoints.create(declared({ eventTypes: ["*"] }))).rejects.toThrow(lacks);
    await expect(endpoints.delete(made)).rejects.toThrow("deleteProjectWebhookEndpoint");
  });

  it("says that access is switched off", async () => {
    const made = await endpoints.create(declared());
    webhooks().allowed = false;
    scenario.nextRun();
    await expect(endpoints.read(made)).rejects.toThrow(
      `The service does not allow webhooks for the project ${ref} (the service says: Forbidden: Access disabled)`,
    );
  });

  it("says that the plan lacks them", async () => {
    const error = { code: "payment_required", message: "Payment Required" };
    scenario.emulator.control.addFault({
      operation: "createProjectWebhookEndpoint",
      status: 402,
      body: { error },
      times: 10,
    });
    await expect(endpoints.create(declared())).rejects.toThrow(
      "The organization's plan does not include this",
    );
  });

  it("quotes why an address is refused", async () => {
    await expect(endpoints.create(declared({ url: "https://localhost/hook" }))).rejects.toThrow(
      "resolves to a public address",
    );
  });
});

it("deletes only its own", async () => {
  const made = await endpoints.create(declared());
  const others = makeByHand();
  await endpoints.delete(made);
  expect(onService().map(({ id }) => id)).toEqual([others]);
  scenario.nextRun();
  await endpoints.delete(made);
  expect(onService()).toHaveLength(1);
});

it("is gone by its own 404 while its project is unhealthy, though the listing alone proves nothing then", async () => {
  const made = await endpoints.create(declared());
  scenario.emulator.control.edit(({ projects }) => {
    const record = projects.get(ref);
    record?.webhooks.endpoints.clear();
    if (record) record.forcedStatus = "ACTIVE_UNHEALTHY";
  });
  scenario.nextRun();
  expect(await endpoints.read(made)).toBeUndefined();
});

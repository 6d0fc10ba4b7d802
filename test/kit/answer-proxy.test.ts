import { isObject } from "../../spec/is-object";
import { startScenario, type Scenario } from "./scenario";
import { withJson, type AnswerProxy } from "./answer-proxy";

let scenario: Scenario;
let proxy: AnswerProxy;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
  proxy = scenario.proxy;
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

const secrets = (): string[] =>
  scenario.emulator.control.call("listSecrets", { ref }).flatMap(({ name }) => (name === "A" ? [name] : []));
const createSecret = (): Promise<unknown> =>
  scenario.client.createSecrets({ ref, body: [{ name: "A", value: "a" }] });
const project = (): Promise<unknown> => scenario.client.getProject({ ref });

describe("a proxy between the provider and the service", () => {
  it("passes on what nothing disturbs, and knows the operation of each request", async () => {
    await createSecret();
    expect(await project()).toMatchObject({ ref, status: "ACTIVE_HEALTHY" });
    expect(proxy.requests).toMatchObject([
      { number: 1, operation: "createSecrets", params: { ref }, method: "POST" },
      { number: 2, operation: "getProject", params: { ref }, method: "GET" },
    ]);
    expect(proxy.url).not.toBe(scenario.emulator.url);
  });

  it("rewrites status, headers and body of the answers to one operation, as often as it is told", async () => {
    const seen = proxy.disturb({
      operation: "getProject",
      skip: 1,
      times: 1,
      rewrite: (answer) => ({
        ...withJson(answer, (value) => (isObject(value) ? { ...value, name: "rewritten" } : value)),
        status: 201,
        headers: { ...answer.headers, "x-rewritten": "true" },
      }),
    });
    const answers = [await get(), await get(), await get()];
    expect(answers).toEqual([
      { status: 200, name: "app", header: null },
      { status: 201, name: "rewritten", header: "true" },
      { status: 200, name: "app", header: null },
    ]);
    expect(seen.requests.map(({ number }) => number)).toEqual([2]);
  });

  it("lets the service have a write once more than it was sent", async () => {
    proxy.disturb({ operation: "createSecrets", repeat: 1 });
    await createSecret();
    expect(scenario.calls("createSecrets")).toBe(2);
    expect(proxy.requests).toHaveLength(1);
    expect(secrets()).toEqual(["A"]);
  });

  it("holds an answer until it is released, after the service has done the work", async () => {
    const held = proxy.disturb({ operation: "createSecrets", isHeld: true });
    let isAnswered = false;
    const creating = createSecret().then(() => (isAnswered = true));
    await held.held();
    expect({ isAnswered, secrets: secrets() }).toEqual({ isAnswered: false, secrets: ["A"] });
    held.release();
    await creating;
    expect(isAnswered).toBe(true);
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ] as const)("drops a request %s the service has done the work", async (drop, calls) => {
    const dropped = proxy.disturb({ operation: "createSecrets", drop });
    await expect(post()).rejects.toThrow("fetch failed");
    expect(scenario.calls("createSecrets")).toBe(calls);
    dropped.end();
    expect((await post()).ok).toBe(true);
  });
});

function post(): Promise<Response> {
  return fetch(`${proxy.url}/v1/projects/${ref}/secrets`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${scenario.emulator.accessToken}`,
      "content-type": "application/json",
    },
    body: JSON.stringify([{ name: "A", value: "a" }]),
  });
}

async function get(): Promise<object> {
  const answer = await fetch(`${proxy.url}/v1/projects/${ref}`, {
    headers: { authorization: `Bearer ${scenario.emulator.accessToken}` },
  });
  const { name } = (await answer.json()) as { name: string };
  return { status: answer.status, name, header: answer.headers.get("x-rewritten") };
}

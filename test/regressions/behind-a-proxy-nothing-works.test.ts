import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setImmediate } from "node:timers/promises";
import { CancelledError, type ManagementClient, TimeoutError } from "../../provider/client";
import { fakeTimers } from "../fake-timers";
import { type Network, startNetwork } from "../provider/client/behind-proxy";
import { SERVICE_HOST } from "../provider/client/certificates";
import { startHttpService } from "../provider/client/http-service";
import { failureOf, json, PROJECT, REF } from "../provider/client/setup";

const PROJECT_OF = { ref: REF };
let network: Network;

afterEach(async () => {
  await network.close();
  jest.useRealTimers();
});

/** The host that a call connects to first; the call ends there, since the service's name resolves nowhere. */
async function firstConnection(client: ManagementClient): Promise<string | undefined> {
  const cancel = new AbortController();
  let host: string | undefined;
  const onConnect = (message: unknown): void => {
    host ??= (message as { connectParams: { host: string } }).connectParams.host;
    cancel.abort();
  };
  subscribe("undici:client:beforeConnect", onConnect);
  await failureOf(client.getProject(PROJECT_OF, { signal: cancel.signal }));
  unsubscribe("undici:client:beforeConnect", onConnect);
  return host;
}

const proxyUrl = (): string => `http://127.0.0.1:${network.proxy.port}`;

it.each(["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"])(
  "goes through the proxy that %s names, in a tunnel of HTTP/1.1",
  async (variable) => {
    network = await startNetwork();
    const client = network.client({ [variable]: proxyUrl() });
    expect(await client.getProject(PROJECT_OF)).toMatchObject(PROJECT_OF);
    expect(network.proxy.targets).toEqual([`${SERVICE_HOST}:443`]);
    expect(network.service.requests).toMatchObject([
      { method: "GET", httpVersion: "1.1", headers: { authorization: "Bearer token-5f1c0a7e9b" } },
    ]);
  },
);

it.each([
  [{ https_proxy: "used", HTTPS_PROXY: "http://127.0.0.1:1" }],
  [{ HTTPS_PROXY: "used", http_proxy: "http://127.0.0.1:1" }],
  [{ HTTPS_PROXY: "used", NO_PROXY: "other.invalid,ervice.invalid,*.api.service.invalid,127.0.0.1" }],
  [{ HTTPS_PROXY: "used", NO_PROXY: `${SERVICE_HOST}:8443` }],
  [{ HTTPS_PROXY: "used", no_proxy: "", NO_PROXY: "*" }],
])("goes through the proxy with %j", async (variables) => {
  network = await startNetwork();
  const named = Object.entries(variables).map(([name, value]) => [
    name,
    value === "used" ? proxyUrl() : value,
  ]);
  await network.client(Object.fromEntries(named) as Record<string, string>).getProject(PROJECT_OF);
  expect(network.proxy.targets).toHaveLength(1);
});

it.each([
  ["no_proxy", SERVICE_HOST],
  ["NO_PROXY", `other.invalid, ${SERVICE_HOST.toUpperCase()}`],
  ["NO_PROXY", `${SERVICE_HOST}:443`],
  ["NO_PROXY", "service.invalid"],
  ["NO_PROXY", ".service.invalid"],
  ["NO_PROXY", "*.service.invalid"],
  ["NO_PROXY", "*"],
  ["https_proxy", ""],
])("asks no proxy with %s=%s", async (name, value) => {
  network = await startNetwork();
  const client = network.client({ HTTPS_PROXY: proxyUrl(), [name]: value });
  expect(await firstConnection(client)).toBe(SERVICE_HOST);
});

it("takes a proxy without a scheme for one of http, as other tools do", async () => {
  network = await startNetwork();
  await network.client({ HTTPS_PROXY: `127.0.0.1:${network.proxy.port}` }).getProject(PROJECT_OF);
  expect(network.proxy.targets).toHaveLength(1);
});

it("goes through a proxy that is itself reached by https", async () => {
  network = await startNetwork(undefined, { isProxySafe: true });
  await network.client({ HTTPS_PROXY: `https://localhost:${network.proxy.port}` }).getProject(PROJECT_OF);
  expect(network.service.requests).toHaveLength(1);
});

it.each(["127.0.0.1", "localhost"])("never asks a proxy for %s, where the emulator runs", async (host) => {
  network = await startNetwork();
  const emulator = await startHttpService(() => json(PROJECT));
  const everything = {
    HTTPS_PROXY: proxyUrl(),
    HTTP_PROXY: proxyUrl(),
    https_proxy: proxyUrl(),
    http_proxy: proxyUrl(),
  };
  const plain = network.client(everything, { baseUrl: emulator.url.replace("127.0.0.1", host) });
  const safe = network.client(everything, { baseUrl: `https://${host}:${network.service.port}` });
  await Promise.all([plain.getProject(PROJECT_OF), safe.getProject(PROJECT_OF)]);
  expect([...network.proxy.targets, ...network.proxy.forwarded]).toEqual([]);
  await emulator.close();
});

it("keeps its tunnels, and makes no more of them than connections are allowed", async () => {
  network = await startNetwork();
  const client = network.client({ HTTPS_PROXY: proxyUrl() }, { connections: 4 });
  await Promise.all(Array.from({ length: 40 }, () => client.getProject(PROJECT_OF)));
  expect(network.service.requests).toHaveLength(40);
  expect(network.proxy.targets).toHaveLength(4);
});

describe("while the proxy connects to nothing", () => {
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  };

  it("a write ends at its deadline, and has not left", async () => {
    const { passMs } = fakeTimers();
    const asked = Promise.withResolvers<undefined>();
    network = await startNetwork(() => "never", { onConnect: () => asked.resolve(undefined) });
    const client = network.client({ HTTPS_PROXY: proxyUrl() });
    const options = { deadlineMs: network.clock.now() + 5_000 };
    const ending = failureOf(client.updateProject({ ref: REF, body: { name: "x" } }, options));
    await asked.promise;
    passMs(5_000);
    const failure = await ending;
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ requestSent: false });
  });

  it("a write ends when it is cancelled, and has not left", async () => {
    const cancel = new AbortController();
    network = await startNetwork(() => "never", { onConnect: () => cancel.abort() });
    const client = network.client({ HTTPS_PROXY: proxyUrl() });
    const failure = await failureOf(
      client.updateProject({ ref: REF, body: { name: "x" } }, { signal: cancel.signal }),
    );
    expect(failure).toBeInstanceOf(CancelledError);
    expect(failure).toMatchObject({ requestSent: false });
  });

  it("a write whose deadline passes while it is connected does not leave", async () => {
    network = await startNetwork(undefined, { onConnect: () => network.clock.advance(10_000) });
    const client = network.client({ HTTPS_PROXY: proxyUrl() });
    const options = { deadlineMs: network.clock.now() + 5_000 };
    const failure = await failureOf(client.updateProject({ ref: REF, body: { name: "x" } }, options));
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ requestSent: false });
    await turns();
    expect(network.service.requests).toEqual([]);
  });
});

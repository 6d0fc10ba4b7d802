import { ApiError, ManagementClient } from "../../../provider/client";
import { measuredStatusOf, type Operation } from "../../../spec/operation";
import { operations, type OperationName } from "../../../spec/table";
import { databaseOperations } from "../../../tools/fuzz/operations/database-operations";
import { expectKnownAnswer } from "../../emulator/service/operations/expect-known-answer";
import type { Scene } from "../../../tools/fuzz/operations/sample";
import { samples } from "../../../tools/fuzz/operations/samples";
import { type Stage, startStage } from "../../../tools/fuzz/operations/scene";
import { ACME_FILE } from "../../spec/names/acme";
import { type RecordingProxy, startRecordingProxy } from "./recording-proxy";
import { failureOf } from "./setup";

/** A placeholder as a word of its own or as a part of a longer name. */
const PLACEHOLDER =
  /(?<![a-z0-9])(?:idp\d\d|vendor[a-d]|partner|svc|legacy[-_]pooler|crypto[-_]ext|rest[-_]layer)(?![a-z0-9])/i;
/** Signatures and hashes may spell anything. */
const LONG_RUNS = /[\w.-]{64,}/g;

let stage: Stage;
let proxy: RecordingProxy;
let client: ManagementClient;
const lines: string[] = [];

beforeAll(async () => {
  stage = await startStage({ names: ACME_FILE });
  proxy = await startRecordingProxy(stage.emulator.url);
  client = new ManagementClient({
    baseUrl: proxy.url,
    accessToken: stage.emulator.accessToken,
    names: ACME_FILE,
    log: (line) => lines.push(line),
  });
});
beforeEach(() => {
  lines.length = 0;
  proxy.take();
});
afterEach(() => expect(stage.emulator.control.internalErrors).toEqual([]));
afterAll(async () => {
  await client.close();
  await proxy.close();
  await stage.close();
});

function placeholdersOnTheWire(): string[] {
  const { sent, answered } = proxy.take();
  expect(sent).not.toBe("");
  return [sent, answered].flatMap((text) => {
    const found = PLACEHOLDER.exec(text.replaceAll(LONG_RUNS, ""));
    return found === null ? [] : [text.slice(Math.max(0, found.index - 60), found.index + 60)];
  });
}

let shared: Scene | undefined;

// The keys of the table are its operation names, which `Object.keys` widens to string.
it.each(Object.keys(operations) as OperationName[])(
  "%s is called and answered without a placeholder on the wire",
  async (name) => {
    const operation: Operation = operations[name];
    // A project of its own for each of these would start a database for each.
    const scene = name in databaseOperations ? (shared ??= stage.fresh()) : stage.fresh();
    if (!(name in databaseOperations)) shared = undefined;
    // Samples and methods have the same keys, of which each sample makes what its method takes.
    const method = client[name] as (parameters: unknown) => Promise<unknown>;
    const parameters = await samples[name](scene);
    scene.control.clearCalls();
    proxy.take();

    const answer = await method(parameters);

    const { schema, contentType } = operation.success;
    const status = measuredStatusOf(operation);
    expect(scene.control.calls().map((call) => [call.operation, call.status])).toEqual([[name, status]]);
    if (contentType === "application/json") expectKnownAnswer(schema, answer);
    expect(placeholdersOnTheWire()).toEqual([]);
  },
);

describe("a project's settings", () => {
  const settings = {
    external_idp01_enabled: true,
    external_idp01_client_id: "vendorA",
    external_idp01_secret: "vendorA, a secret",
    external_idp09_skip_nonce_check: true,
    partner_oauth_client_id: "a partner",
    security_svc_forwarded_for_enabled: true,
    sms_provider: "vendorB" as const,
    sms_vendorB_api_key: "a-key",
    sms_vendorB_sender: "shop",
  };

  it("are in the placeholders for the program, and for the state of the emulator", async () => {
    const { ref, control } = stage.fresh();
    const answer = await client.updateAuthConfig({ ref, body: settings });
    expect(answer).toMatchObject({ sms_provider: "vendorB", partner_oauth_client_id: "a partner" });
    expect(control.call("getAuthConfig", { ref })).toMatchObject({
      external_idp01_client_id: "vendorA",
      security_svc_forwarded_for_enabled: true,
      sms_vendorB_sender: "shop",
    });
    const { sent } = proxy.take();
    for (const word of [
      "external_acme-login_client_id",
      "acmepal_oauth_client_id",
      '"sms_provider":"heliogro"',
    ]) {
      expect(sent).toContain(word);
    }
    // What a user wrote is sent as it was written.
    expect(sent).toContain('"external_acme-login_client_id":"vendorA"');
  });

  it("tell what is wrong with them in the program's words", async () => {
    const { ref } = stage.fresh();
    // A value that the types do not take.
    const body = { ...settings, external_idp01_enabled: "perhaps" } as unknown as typeof settings;
    const error = await failureOf(client.updateAuthConfig({ ref, body }));
    expect(error.message).toContain("external_idp01_enabled");
    expect(proxy.take().answered).toContain("external_acme-login_enabled");
  });
});

it("asks for a service's health, and is told of it, by the installation's word", async () => {
  const { ref } = stage.fresh();
  expect(await client.getHealth({ ref, services: ["db", "legacy_pooler"] })).toMatchObject([
    { name: "db" },
    { name: "legacy_pooler" },
  ]);
  const { sent, answered } = proxy.take();
  expect(sent).toContain("acme_bouncer");
  expect(answered).toContain('"name":"acme_bouncer"');
});

it("refuses a secret's name that the specification reserves, and one that the installation does", async () => {
  const { ref, control } = stage.fresh();
  const create = (name: string): Promise<unknown> =>
    client.createSecrets({ ref, body: [{ name, value: "a-value" }] });
  const refused = await failureOf(create("SVC_URL"));
  expect(refused).toBeInstanceOf(ApiError);
  expect(proxy.take().sent).toContain("ACME_URL");
  control.clearCalls();
  const error = await failureOf(create("ACME_URL"));
  expect(error.message).toContain('"ACME_URL" begins with "ACME_"');
  expect(control.countCalls()).toBe(0);
});

it("shows log lines in the program's words", async () => {
  const { ref } = stage.fresh();
  await client.getRestLayerConfig({ ref });
  expect(lines).toEqual([expect.stringContaining(`GET /v1/projects/${ref}/rest-layer 200`)]);
});

it("issues API keys with the installation's word, which the client hands on as they are", async () => {
  const { ref } = stage.fresh();
  const keys = await client.listApiKeys({ ref, reveal: true });
  const issued = keys.flatMap(({ type, api_key: key }) => (type === "legacy" ? [] : [key]));
  expect(issued.map((key) => key?.split("_")[0])).toEqual(["acme", "acme"]);
});

describe("whoever speaks the specification's words", () => {
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${stage.emulator.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${stage.emulator.accessToken}`, "content-type": "application/json" },
    });

  it("is told that there is no such path, in the words that were asked", async () => {
    const { ref } = stage.fresh();
    const response = await ask(`/v1/projects/${ref}/rest-layer`);
    expect([response.status, await response.json()]).toEqual([
      404,
      { message: `Cannot GET /v1/projects/${ref}/rest-layer` },
    ]);
    expect((await ask(`/v1/projects/${ref}/acme-rest`)).status).toBe(200);
  });

  it("is told of an unknown field or value by the name that was sent", async () => {
    const { ref } = stage.fresh();
    const health = await ask(`/v1/projects/${ref}/health?services=legacy_pooler`);
    expect(health.status).toBe(400);
    const patch = (body: object): Promise<Response> =>
      ask(`/v1/projects/${ref}/config/auth`, { method: "PATCH", body: JSON.stringify(body) });
    expect((await patch({ sms_provider: "vendorA" })).status).toBe(400);
    expect(
      (await patch({ sms_provider: "pigeo", sms_pigeo_access_key: "k", sms_pigeo_originator: "o" })).status,
    ).toBe(200);
  });
});

it("offers an OpenAPI document in the installation's words, for other clients", async () => {
  const response = await fetch(`${stage.emulator.url}/_control/openapi.json`);
  const text = await response.text();
  expect(text).toContain('"/v1/projects/{ref}/acme-rest"');
  expect(text).toContain('"external_acme-login_enabled"');
  expect(text).toContain("^(?!ACME_).*");
  const { paths } = JSON.parse(text) as { paths: object };
  expect(Object.keys(paths).filter((path) => PLACEHOLDER.test(path))).toEqual([]);
});

import { asDocumented } from "../../../tools/fixtures/documented-service";
import { generateKeyPairSync } from "node:crypto";
import { importResource } from "../../../provider/engine/import";
import type { Values } from "../../../provider/define/values";
import { thirdPartyAuth } from "../../../provider/resources/auth/third-party-auth/third-party-auth";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let integrations: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  integrations = scenario.manage(thirdPartyAuth);
});
afterEach(() => scenario.close());

const ISSUER = "https://idp.example.com";
const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = { ...pair.publicKey.export({ format: "jwk" }), kid: "one" };
const byIssuer = (more: Values = {}): Values => ({ projectRef: ref, oidcIssuerUrl: ISSUER, ...more });
const onService = () => [
  ...(scenario.emulator.world.state.projects.get(ref)?.auth.thirdParties.values() ?? []),
];
const serveKeys = (kid: string): void =>
  scenario.emulator.control.edit(({ auth }) => {
    auth.keySets.set(ISSUER, { keys: [{ ...publicKey, kid }] });
  });

it("stands beside the one that replaces it until it is deleted", async () => {
  const made = await integrations.create(byIssuer());
  expect(onService()).toMatchObject([{ id: made.id, oidcIssuerUrl: ISSUER, jwksUrl: null }]);
  expect(made.state).toMatchObject({ type: "custom" });

  const others = byIssuer({ oidcIssuerUrl: `${ISSUER}/other` });
  expect(integrations.diff(made.state, others)).toMatchObject({ changes: true, replaces: [] });
  expect(integrations.failures(others, byIssuer()).join()).toContain("run `pulumi up --target-replace '");
  const second = await integrations.create(others);
  await integrations.delete(made);
  expect(onService().map(({ id }) => id)).toEqual([second.id]);
});

it.each([
  ["a URL of keys", { jwksUrl: `${ISSUER}/keys` }],
  ["keys", { customJwks: { keys: [publicKey] } }],
])("takes %s", async (_, source) => {
  const inputs = { projectRef: ref, ...source };
  const made = await integrations.create(inputs);
  expect(onService()).toMatchObject([source]);
  expect(made.state).toMatchObject({ type: "custom" });
  scenario.nextRun();
  const read = await integrations.read(made);
  expect(integrations.diff(read?.state ?? {}, inputs).changes).toBe(false);
});

it("is not replaced when it finds its keys in another way", async () => {
  const made = await integrations.create(byIssuer());
  const inputs = { projectRef: ref, jwksUrl: `${ISSUER}/keys` };
  expect(integrations.diff(made.state, inputs)).toMatchObject({ changes: true, replaces: [] });
  await expect(integrations.update(made, inputs)).rejects.toThrow(
    "the state has no value. Nothing was changed. If it was changed outside Pulumi, run `pulumi refresh` first. To keep the current one, remove `jwksUrl` from the program.",
  );
  expect(onService()).toMatchObject([{ id: made.id, oidcIssuerUrl: ISSUER }]);
});

it("shows the keys that the service finds, and takes their changes for no drift", async () => {
  scenario.emulator.control.edit(asDocumented);
  serveKeys("first");
  const made = await integrations.create(byIssuer());
  expect(made.state).not.toHaveProperty("resolvedJwks");
  scenario.clock.advance(60_000);
  scenario.nextRun();
  const found = await integrations.read(made);
  expect(found?.state).toMatchObject({ resolvedJwks: { keys: [{ kid: "first" }] } });
  serveKeys("second");
  scenario.clock.advance(2 * 3_600_000);
  scenario.nextRun();
  const later = await integrations.read({ id: made.id, state: found?.state ?? {} });
  expect(later?.state).toMatchObject({ resolvedJwks: { keys: [{ kid: "second" }] } });
  expect(later?.state["resolvedAt"]).not.toBe(found?.state["resolvedAt"]);
  expect(integrations.diff(later?.state ?? {}, byIssuer())).toMatchObject({ changes: false, properties: [] });
});

it("takes an integration whose source the service does not show for unchanged", async () => {
  const made = await integrations.create(byIssuer());
  const [listed] = scenario.emulator.control.call("listThirdPartyAuth", { ref });
  scenario.nextRun();
  const body = [{ ...listed, oidc_issuer_url: null }];
  scenario.emulator.control.addFault({ operation: "listThirdPartyAuth", status: 200, body });
  const read = await integrations.read(made);
  expect(integrations.diff(read?.state ?? {}, byIssuer()).changes).toBe(false);
});

it("shows whatever type the service names, and knows an integration by its source all the same", async () => {
  const made = await integrations.create(byIssuer());
  const body = scenario.emulator.control
    .call("listThirdPartyAuth", { ref })
    .map((each) => ({ ...each, type: "oidc" }));
  const answerAnother = (): void => {
    scenario.nextRun();
    scenario.emulator.control.addFault({ operation: "listThirdPartyAuth", status: 200, body });
  };
  answerAnother();
  const read = await integrations.read(made);
  expect(read?.state).toMatchObject({ type: "oidc" });
  expect(integrations.diff(read?.state ?? {}, byIssuer())).toMatchObject({ changes: false, properties: [] });
  answerAnother();
  expect((await integrations.create(byIssuer({ adopt: true }))).id).toBe(made.id);
});

it("makes no second one of a source, and takes the first over when asked to", async () => {
  const { id } = await integrations.create(byIssuer({ __owner: SOMEBODY }));
  scenario.nextRun();
  await expect(integrations.create(byIssuer())).rejects.toThrow(`adoptId: "${id}"`);
  const made = await integrations.create(byIssuer({ adopt: true }));
  expect(made.id).toBe(id);
  expect(onService()).toHaveLength(1);
});

it("is imported with its source and nothing else", async () => {
  const { id } = await integrations.create({ projectRef: ref, customJwks: { keys: [publicKey] } });
  scenario.nextRun();
  const imported = await importResource(scenario.runtime, thirdPartyAuth, `${ref}/${id}`, true);
  expect(imported?.inputs).toEqual({ projectRef: ref, customJwks: { keys: [publicKey] } });
});

it("reads ten integrations in one call", async () => {
  const issuers = Array.from({ length: 10 }, (_, index) => `${ISSUER}/${index}`);
  const made = await Promise.all(
    issuers.map((oidcIssuerUrl) => integrations.create(byIssuer({ oidcIssuerUrl }))),
  );
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => integrations.read(each)));
  expect(scenario.calls()).toBe(1);
});

it("says what is wrong with its inputs, and shows no key", () => {
  expect(integrations.failures({ projectRef: ref })).toEqual([
    "oidcIssuerUrl: one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is required",
  ]);
  expect(integrations.failures(byIssuer({ jwksUrl: `${ISSUER}/keys` }))).toEqual([
    "jwksUrl: `oidcIssuerUrl`, `jwksUrl` and `customJwks` cannot be combined",
  ]);
  expect(integrations.failures(byIssuer({ oidcIssuerUrl: "http://idp.example.com" }))[0]).toContain(
    "expected an `https` address",
  );
  const withKey = (key: object): Values => ({ projectRef: ref, customJwks: { keys: [publicKey, key] } });
  const privateKey = pair.privateKey.export({ format: "jwk" });
  const [failure = ""] = integrations.failures(withKey(privateKey));
  expect(failure).toMatch(/^customJwks\.keys\[1\]: this is a private key/);
  expect(failure).not.toContain(privateKey.d);
  expect(integrations.failures(withKey({ kty: "oct", k: "c2VjcmV0" }))[0]).toMatch(
    /^customJwks\.keys\[1\]: this is a shared secret/,
  );
});

// service, Third-party auth.
it("warns that given keys were never seen to be resolved", async () => {
  await integrations.create({ projectRef: ref, customJwks: { keys: [publicKey] } });
  expect(scenario.warnings).toEqual([expect.stringContaining("serve the keys and declare their `jwksUrl`")]);
});

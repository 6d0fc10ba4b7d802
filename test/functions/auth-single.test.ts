import { asDocumented } from "../../tools/fixtures/documented-service";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped, errorOf, faults, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const read = (name: string, more: object) => invoke(scenario, name, { projectRef, ...more });
const failure = (name: string, more: object) => errorOf(scenario, name, { projectRef, ...more });
const MISSING = "00000000-0000-4000-8000-000000000000";

describe("getApiKey", () => {
  const make = (type: "publishable" | "secret", name: string): { id: string; apiKey: string } => {
    const body = { type, name };
    const made = scenario.emulator.control.call("createApiKey", { ref: projectRef, body, reveal: true });
    return { id: made.id ?? "", apiKey: made.api_key ?? "" };
  };

  it("returns a key by its identifier or its name, the value as a Pulumi secret", async () => {
    const { id, apiKey } = make("secret", "backend");
    const byId = await invokeWrapped(scenario, "getApiKey", { projectRef, apiKeyId: id });
    expect(byId).toMatchObject({ apiKeyId: id, type: "secret", name: "backend", apiKey: { secret: apiKey } });
    const byName = await invokeWrapped(scenario, "getApiKey", { projectRef, name: "backend" });
    expect(byName).toEqual(byId);
    expect(await read("getApiKey", { name: "anon" })).toMatchObject({ type: "legacy" });
  });

  it("takes no key for another of the same name", async () => {
    const [first, second] = [make("secret", "twin"), make("publishable", "twin")];
    const error = await failure("getApiKey", { name: "twin" });
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(`secret twin (${first.id})`);
    expect(error.message).toContain(`publishable twin (${second.id})`);
    expect(await read("getApiKey", { name: "twin", type: "publishable" })).toMatchObject({
      apiKeyId: second.id,
    });
  });

  it("says which keys there are where the wanted one is not", async () => {
    const error = await failure("getApiKey", { name: "backend", type: "secret" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("no API key with the name backend and the type secret");
    expect(error.message).toContain("legacy anon");
    expect((await failure("getApiKey", { apiKeyId: MISSING })).message).toContain(MISSING);
  });

  it("wants an identifier or a name, and a type with a name only", () => {
    expect(faults("getApiKey", { projectRef })).toEqual([
      "apiKeyId: required, but missing: give one of `apiKeyId` and `name`",
    ]);
    expect(faults("getApiKey", { projectRef, apiKeyId: MISSING, type: "secret" })).toEqual([
      'type: got "secret"; the identifier alone names the key',
    ]);
  });
});

describe("getSigningKey", () => {
  const make = (): string => {
    const body = { algorithm: "ES256" as const };
    return scenario.emulator.control.call("createSigningKey", { ref: projectRef, body }).id;
  };

  it("returns a key by its identifier, or the one in a state", async () => {
    const id = make();
    const found = await read("getSigningKey", { signingKeyId: id });
    expect(found).toMatchObject({ signingKeyId: id, algorithm: "ES256", status: "standby" });
    expect(found["publicJwk"]).toMatchObject({ kty: "EC" });
    expect(await read("getSigningKey", { status: "standby" })).toEqual(found);
    expect(await read("getSigningKey", { status: "in_use" })).toMatchObject({ algorithm: "HS256" });
  });

  it("says which keys there are where none is meant, or several are", async () => {
    const none = await failure("getSigningKey", { status: "standby" });
    expect(none).toBeInstanceOf(NotFoundError);
    expect(none.message).toMatch(/no signing key with the status standby; it has .*HS256, in_use/);
    const id = make();
    const project = scenario.emulator.world.state.projects.get(projectRef);
    for (const key of project?.signingKeys.values() ?? []) key.status = "previously_used";
    scenario.nextRun();
    const several = await failure("getSigningKey", { status: "previously_used" });
    expect(several).toBeInstanceOf(InvalidInputError);
    expect(several.message).toContain("2 signing keys");
    expect(several.message).toContain(id);
  });
});

describe("getSsoProvider", () => {
  const xml = '<md:EntityDescriptor entityID="https://idp.example.org"></md:EntityDescriptor>';
  const make = (body: object): string => {
    const whole = { type: "saml" as const, ...body };
    return scenario.emulator.control.call("createSsoProvider", { ref: projectRef, body: whole }).id;
  };

  it("returns a provider by identifier, domain or entity ID, with its metadata document", async () => {
    const id = make({ metadata_xml: xml, domains: ["example.org", "Example.com"] });
    make({ metadata_url: "https://idp.example.net/metadata", domains: ["example.net"] });
    const found = await read("getSsoProvider", { providerId: id });
    expect(found).toMatchObject({
      providerId: id,
      metadataXml: xml,
      entityId: "https://idp.example.org",
      type: "saml",
    });
    expect(await read("getSsoProvider", { domain: "EXAMPLE.com" })).toEqual(found);
    expect(await read("getSsoProvider", { entityId: "https://idp.example.org" })).toEqual(found);
  });

  it("asks for a document that the listing leaves out, once for many", async () => {
    const id = make({ metadata_xml: xml });
    const { items } = scenario.emulator.control.call("listSsoProviders", { ref: projectRef });
    const body = { items: items.map((item) => ({ ...item, saml: { id: item.saml?.id } })) };
    scenario.emulator.control.clearCalls();
    scenario.emulator.control.addFault({ operation: "listSsoProviders", status: 200, body });
    const all = await Promise.all(
      Array.from({ length: 5 }, () => read("getSsoProvider", { providerId: id })),
    );
    expect(all.map(({ metadataXml }) => metadataXml)).toEqual(Array.from({ length: 5 }, () => xml));
    expect([scenario.calls("listSsoProviders"), scenario.calls("getSsoProvider")]).toEqual([1, 1]);
  });

  it("says which providers there are where the wanted one is not", async () => {
    const id = make({ metadata_xml: xml, domains: ["example.org"] });
    const error = await failure("getSsoProvider", { domain: "example.com" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the domain example.com; it has ${id} (example.org)`);
    expect(faults("getSsoProvider", { projectRef })[0]).toContain(
      "give one of `providerId`, `domain` and `entityId`",
    );
  });
});

describe("getThirdPartyAuth", () => {
  const make = (body: object): string =>
    scenario.emulator.control.call("createThirdPartyAuth", { ref: projectRef, body }).id;
  const issuer = "https://idp.example.com";

  it("returns an integration by its identifier or its URL, with its keys", async () => {
    scenario.emulator.control.edit(asDocumented);
    const id = make({ oidc_issuer_url: issuer });
    const keys = { keys: [{ kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" }] };
    const given = make({ custom_jwks: keys });
    scenario.clock.advance(60_000);
    const found = await read("getThirdPartyAuth", { oidcIssuerUrl: issuer });
    expect(found).toMatchObject({
      thirdPartyAuthId: id,
      oidcIssuerUrl: issuer,
      type: "custom",
      createdAt: expect.any(String) as string,
    });
    for (const name of ["jwksUrl", "customJwks", "resolvedJwks"]) expect(found).not.toHaveProperty(name);
    expect(await read("getThirdPartyAuth", { thirdPartyAuthId: id })).toEqual(found);
    expect(await read("getThirdPartyAuth", { thirdPartyAuthId: given })).toMatchObject({
      customJwks: keys,
      resolvedJwks: keys,
      resolvedAt: expect.any(String) as string,
    });
  });

  it("returns whatever type the service names", async () => {
    const id = make({ oidc_issuer_url: issuer });
    const listed = scenario.emulator.control.call("listThirdPartyAuth", { ref: projectRef });
    const body = listed.map((each) => ({ ...each, type: "oidc" }));
    scenario.emulator.control.addFault({ operation: "listThirdPartyAuth", status: 200, body });
    const found = await read("getThirdPartyAuth", { oidcIssuerUrl: issuer });
    expect(found).toMatchObject({ thirdPartyAuthId: id, type: "oidc" });
  });

  it("says which there are where none is meant, or several are", async () => {
    expect((await failure("getThirdPartyAuth", { jwksUrl: issuer })).message).toContain("it has none");
    const ids = [make({ oidc_issuer_url: issuer }), make({ oidc_issuer_url: issuer })];
    scenario.nextRun();
    const several = await failure("getThirdPartyAuth", { oidcIssuerUrl: issuer });
    expect(several).toBeInstanceOf(InvalidInputError);
    for (const id of ids) expect(several.message).toContain(id);
    const none = await failure("getThirdPartyAuth", { thirdPartyAuthId: MISSING });
    expect(none).toBeInstanceOf(NotFoundError);
    expect(none.message).toContain(`${ids[0]} (${issuer}`);
  });
});

describe.each([
  ["getApiKey", { name: "anon" }, "listApiKeys"],
  ["getSigningKey", { status: "in_use" }, "listSigningKeys"],
  ["getSsoProvider", { domain: "example.com" }, "listSsoProviders"],
  ["getThirdPartyAuth", { jwksUrl: "https://idp.example.com" }, "listThirdPartyAuth"],
] as const)("%s", (name, more, operation) => {
  it("says which project is not there, and what a token lacks", async () => {
    const error = await errorOf(scenario, name, { projectRef: NOBODY, ...more });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
    scenario.emulator.control.addFault({ operation, status: 403, message: "not allowed" });
    expect(await failure(name, more)).toBeInstanceOf(ForbiddenError);
  });

  it("lists once for many, together with others of its project", async () => {
    const asking = Array.from({ length: 10 }, () => read(name, more).catch(() => undefined));
    await Promise.all(asking);
    await read(name, more).catch(() => undefined);
    expect(scenario.calls(operation)).toBe(1);
  });
});

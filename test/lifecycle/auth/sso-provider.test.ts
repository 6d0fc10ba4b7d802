import type { Values } from "../../../provider/define/values";
import { ssoProvider } from "../../../provider/resources/auth/sso-provider/sso-provider";
import { SOMEBODY, startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let providers: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  providers = scenario.manage(ssoProvider);
});
afterEach(() => scenario.close());

const METADATA_URL = "https://idp.example.com/metadata";
const metadata = (entity: string): string =>
  `<?xml version="1.0"?>\n<md:EntityDescriptor entityID="${entity}">\n  <md:IDPSSODescriptor>\n    <md:X509>MII\nABC</md:X509>\n  </md:IDPSSODescriptor>\n</md:EntityDescriptor>\n`;
const EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

const byUrl = (more: Values = {}): Values => ({
  projectRef: ref,
  type: "saml",
  metadataUrl: METADATA_URL,
  ...more,
});
const byXml = (more: Values = {}): Values => ({
  projectRef: ref,
  type: "saml",
  metadataXml: metadata("https://idp.example.com"),
  ...more,
});
const onService = () => [...(scenario.emulator.world.state.projects.get(ref)?.ssoProviders.values() ?? [])];
const domains = () => onService().map((provider) => provider.domains.map(({ domain }) => domain));
const edit = (change: (provider: ReturnType<typeof onService>[number]) => void): void =>
  scenario.emulator.control.edit(() => onService().forEach(change));

it("sends what is declared, reads it from the listing alone, and shows what others changed", async () => {
  const inputs = byUrl({
    domains: ["example.org", "example.com"],
    attributeMapping: { keys: { email: { name: "mail" } } },
    nameIdFormat: EMAIL_FORMAT,
  });
  const made = await providers.create(inputs);
  expect(onService()).toMatchObject([
    {
      id: made.id,
      metadataUrl: METADATA_URL,
      metadataXml: null,
      attributeMapping: { keys: { email: { name: "mail" } } },
      nameIdFormat: EMAIL_FORMAT,
    },
  ]);
  expect(made.state).toMatchObject({ entityId: METADATA_URL });
  // service, SSO providers: no nested object has an id.
  expect(made.state).not.toHaveProperty("samlId");

  scenario.nextRun();
  await providers.read(made);
  expect(scenario.calls("getSsoProvider")).toBe(0);

  scenario.nextRun();
  const changed = { ...inputs, domains: ["example.com"] };
  expect(providers.diff(made.state, changed)).toMatchObject({ replaces: [] });
  const updated = await providers.update(made, changed);
  expect(domains()).toEqual([["example.com"]]);

  edit((provider) => void provider.domains.pop());
  scenario.nextRun();
  const drifted = await providers.read(updated);
  expect([...providers.diff(drifted?.state ?? {}, changed).changed]).toEqual(["domains"]);
});

it("takes the order and the case of domains for nothing", async () => {
  const made = await providers.create(byUrl({ domains: ["example.com", "example.org"] }));
  expect(providers.diff(made.state, byUrl({ domains: ["EXAMPLE.org", "example.com"] })).changes).toBe(false);
});

it("takes white space in metadata for nothing, and sees every other change", async () => {
  const inputs = byXml();
  const made = await providers.create(inputs);
  edit((provider) => {
    provider.metadataXml = (provider.metadataXml ?? "").replace(/\s+/g, " ").replaceAll("> <", "><");
  });
  scenario.nextRun();
  const read = await providers.read(made);
  expect(providers.diff(read?.state ?? {}, inputs).changes).toBe(false);
  edit((provider) => void (provider.metadataXml = metadata("https://other.example.com")));
  scenario.nextRun();
  const drifted = await providers.read(made);
  expect([...providers.diff(drifted?.state ?? {}, inputs).changed]).toEqual(["metadataXml"]);
});

it("shows no drift when the service tells the document that it fetched from the URL", async () => {
  scenario.emulator.control.edit(
    (state) => void state.samlMetadata.set(METADATA_URL, metadata("https://idp.example.com")),
  );
  const made = await providers.create(byUrl());
  expect(onService()[0]?.metadataXml).toContain("EntityDescriptor");
  scenario.nextRun();
  const read = await providers.read(made);
  expect(providers.diff(read?.state ?? {}, byUrl()).changes).toBe(false);
});

it("asks for the document by itself when listings leave it out", async () => {
  const inputs = byXml();
  const made = await providers.create(inputs);
  const { items } = scenario.emulator.control.call("listSsoProviders", { ref });
  const short = items.map(({ saml, ...rest }) => ({ ...rest, saml: { ...saml, metadata_xml: undefined } }));
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "listSsoProviders", status: 200, body: { items: short } });
  const read = await providers.read(made);
  expect(providers.diff(read?.state ?? {}, inputs).changes).toBe(false);
  expect(scenario.calls("getSsoProvider")).toBe(1);
});

it("changes from a URL to a document without ever sending both", async () => {
  const made = await providers.create(byUrl());
  scenario.nextRun();
  const inputs = byXml();
  await providers.update(made, inputs);
  expect(onService()).toMatchObject([
    { id: made.id, metadataUrl: null, entityId: "https://idp.example.com" },
  ]);
  scenario.nextRun();
  const read = await providers.read({ id: made.id, state: { ...inputs } });
  expect(providers.diff(read?.state ?? {}, inputs).properties).toEqual([]);
});

it("sees what was reset on the service", async () => {
  const inputs = byUrl({
    attributeMapping: { keys: { email: { name: "mail" } } },
    nameIdFormat: EMAIL_FORMAT,
  });
  const made = await providers.create(inputs);
  edit((provider) => Object.assign(provider, { attributeMapping: null, nameIdFormat: null }));
  scenario.nextRun();
  const drifted = await providers.read(made);
  expect([...providers.diff(drifted?.state ?? {}, inputs).changed].sort()).toEqual([
    "attributeMapping",
    "nameIdFormat",
  ]);
  await providers.update({ id: made.id, state: drifted?.state ?? {} }, inputs);
  expect(onService()).toMatchObject([{ nameIdFormat: EMAIL_FORMAT }]);
});

it("takes what the service adds to a mapping for nothing, but not a mapping that others add", async () => {
  const inputs = byUrl({ attributeMapping: { keys: { email: { name: "mail" } } } });
  const made = await providers.create(inputs);
  edit((provider) => void (provider.attributeMapping = { keys: { email: { name: "mail", array: false } } }));
  scenario.nextRun();
  const read = await providers.read(made);
  expect(providers.diff(read?.state ?? {}, inputs).changes).toBe(false);
  edit(
    (provider) =>
      void (provider.attributeMapping = { keys: { email: { name: "mail" }, phone: { name: "tel" } } }),
  );
  scenario.nextRun();
  const drifted = await providers.read(made);
  expect(providers.diff(drifted?.state ?? {}, inputs).properties).toMatchObject([
    { path: "attributeMapping.keys.phone" },
  ]);
});

it("sends what is declared and leaves the rest as it is", async () => {
  const made = await providers.create(byUrl({ domains: ["example.com"], nameIdFormat: EMAIL_FORMAT }));
  scenario.nextRun();
  await providers.update(made, byUrl({ domains: ["example.org"] }));
  expect(onService()).toMatchObject([{ nameIdFormat: EMAIL_FORMAT }]);
  expect(domains()).toEqual([["example.org"]]);
  await providers.update(
    { id: made.id, state: { ...byUrl({ domains: ["example.org"] }) } },
    byUrl({ domains: [] }),
  );
  expect(domains()).toEqual([[]]);
});

it("copes with answers that leave nested ids out or carry unknown keys", async () => {
  await scenario.close();
  // Such answers do not keep to the table.
  scenario = await startScenario({ validateAnswers: false });
  ref = scenario.healthyProject();
  providers = scenario.manage(ssoProvider);
  scenario.emulator.control.edit((state) => {
    state.service = "2026-06";
    state.ssoNestedIdsOmitted = true;
    state.newer = true;
  });
  const inputs = byUrl({ domains: ["example.com"] });
  const made = await providers.create(inputs);
  expect(providers.diff(made.state, inputs).changes).toBe(false);
  scenario.nextRun();
  const read = await providers.read(made);
  expect(read?.state).toMatchObject({ samlId: onService()[0]?.samlId });
});

it("says that SAML is not enabled", async () => {
  scenario.emulator.control.set("auth.ssoNeedsSaml", true);
  await expect(providers.create(byUrl())).rejects.toThrow(
    "SAML is not enabled, or the token may not read them",
  );
});

it("makes no second provider of an entity or a domain, and takes the first over when told to", async () => {
  const { id } = await providers.create(byXml({ domains: ["example.com"], __owner: SOMEBODY }));
  scenario.nextRun();
  await expect(providers.create(byXml())).rejects.toThrow(`adoptId: "${id}"`);
  await expect(providers.create(byUrl({ domains: ["Example.com"] }))).rejects.toThrow(`adoptId: "${id}"`);
  const made = await providers.create(byXml({ adopt: true, domains: ["example.org"] }));
  expect(made.id).toBe(id);
  expect(domains()).toEqual([["example.org"]]);
});

it("reads ten providers in one call", async () => {
  const urls = Array.from({ length: 10 }, (_, index) => `https://idp.example.com/${index}`);
  const made = await Promise.all(urls.map((metadataUrl) => providers.create(byUrl({ metadataUrl }))));
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  await Promise.all(made.map((each) => providers.read(each)));
  expect(scenario.calls()).toBe(1);
});

it("says what is wrong with its inputs", () => {
  expect(providers.failures(byUrl({ metadataXml: metadata("a") }))).toEqual([
    "metadataXml: `metadataXml` and `metadataUrl` cannot be combined",
  ]);
  expect(providers.failures({ projectRef: ref, type: "saml" })).toEqual([
    "metadataUrl: one of `metadataUrl` and `metadataXml` is required",
  ]);
  expect(providers.failures(byUrl({ metadataUrl: "http://idp.example.com" }))[0]).toMatch(
    /^metadataUrl: got/,
  );
  expect(providers.failures(byUrl({ type: "oidc" }))[0]).toContain('allowed: "saml"');
  expect(providers.failures(byUrl({ attributeMapping: { keys: { email: { nmae: "mail" } } } }))).toEqual([
    "attributeMapping.keys.email.nmae: unknown property; did you mean `name`?",
  ]);
});

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resourceByType } from "../../provider/catalog/catalog";
import type { Values } from "../../provider/define/values";
import { diffResource } from "../../provider/engine/diff";
import { sampleOf } from "../kit/samples";
import { temporaryFolder } from "../kit/temporary-folder";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
let ref: string;
const folder = temporaryFolder("management-taken-out-");
const folderOf = (name: string): string => join(folder, name);
const functionIn = (path: string): void => {
  mkdirSync(folderOf(path), { recursive: true });
  writeFileSync(join(folderOf(path), "index.ts"), "export {};\n");
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** Makes the resource, takes inputs out of its program, and returns what the plan says of it. */
async function takenOut(type: string, inputs: Values, names: readonly string[]) {
  const resource = resourceByType(type);
  const managed = scenario.manage(resource);
  const made = await managed.create({ projectRef: ref, ...inputs });
  const left = Object.fromEntries(
    Object.entries({ projectRef: ref, ...inputs }).filter(([name]) => !names.includes(name)),
  );
  scenario.nextRun();
  scenario.infos.length = 0;
  diffResource(scenario.runtime, resource, made.id, made.state, managed.checked(left), () => false);
  const lines = scenario.infos.map((line) => line.replace(/^.*?: /, ""));
  const updated = await managed.update(made, left);
  scenario.nextRun();
  const read = await managed.read(updated);
  expect(managed.diff(read?.state ?? {}, left).changes).toBe(false);
  return { lines, made, updated };
}

const { saml, metadataUrl } = { saml: "saml", metadataUrl: "https://idp.example.com/metadata" };
const provider = () => scenario.emulator.control.call("listSsoProviders", { ref }).items[0];

it("says of the domains and the mapping of an SSO provider that they stay, and how to remove them", async () => {
  const attributeMapping = { keys: { email: { name: "mail" } } };
  const inputs = { type: saml, metadataUrl, domains: ["example.com"], attributeMapping };
  const { lines } = await takenOut("SsoProvider", inputs, ["domains", "attributeMapping"]);
  expect(lines).toEqual([
    'domains: no longer managed, stays ["example.com"]. To remove the domains, declare `[]`.',
    'attributeMapping: no longer managed, stays {"keys":{"email":{"name":"mail"}}}. To remove the mapping, declare `{ keys: {} }`.',
  ]);
  expect(provider()?.domains?.map(({ domain }) => domain)).toEqual(["example.com"]);
  expect(provider()?.saml?.attribute_mapping).toEqual(attributeMapping);
});

it("removes them when the program says so afterwards, as the line advises", async () => {
  const inputs = { type: saml, metadataUrl, domains: ["example.com"] };
  const { updated } = await takenOut("SsoProvider", inputs, ["domains"]);
  const managed = scenario.manage(resourceByType("SsoProvider"));
  await managed.update(updated, { projectRef: ref, ...inputs, domains: [] });
  expect(provider()?.domains).toEqual([]);
});

it("removes a key that is taken out of a mapped attribute", async () => {
  const managed = scenario.manage(resourceByType("SsoProvider"));
  const declared = (email: Values): Values => ({
    projectRef: ref,
    metadataUrl,
    attributeMapping: { keys: { email } },
  });
  const made = await managed.create(declared({ name: "mail", default: "nobody@example.com" }));
  const left = declared({ name: "mail" });
  expect(managed.diff(made.state, left).properties).toEqual([
    { path: "attributeMapping.keys.email.default", kind: "delete", replaces: false },
  ]);
  await managed.update(made, left);
  expect(provider()?.saml?.attribute_mapping?.keys).toEqual({ email: { name: "mail" } });
});

const files = { "index.ts": "export {};" };
const verifiesJwt = () => scenario.emulator.world.state.projects.get(ref)?.functions.get("hello")?.verifyJwt;

it("says that a function stays as public or as closed as it is", async () => {
  const { lines, updated } = await takenOut("EdgeFunction", { slug: "hello", files, verifyJwt: false }, [
    "verifyJwt",
  ]);
  expect(lines).toEqual([
    "verifyJwt: no longer managed, stays false. To require a valid JWT, declare `true`.",
  ]);
  const managed = scenario.manage(resourceByType("EdgeFunction"));
  await managed.update(updated, { projectRef: ref, slug: "hello", files: { "index.ts": "export { };" } });
  expect(verifiesJwt()).toBe(false);
});

it.each([
  ["the setting", { functions: { "set-out": {} } }],
  ["the function's settings", { functions: {} }],
  ["all settings", {}],
])("says the same of a function of a set without %s, and does not manage it any more", async (_, rest) => {
  const resource = resourceByType("FunctionSet");
  const { sourceDir } = sampleOf("FunctionSet").inputs(ref);
  const managed = scenario.manage(resource);
  const made = await managed.create({
    projectRef: ref,
    sourceDir,
    functions: { "set-out": { verifyJwt: false } },
  });
  const left = managed.checked({ projectRef: ref, sourceDir, ...rest });
  diffResource(scenario.runtime, resource, made.id, made.state, left, () => false);
  expect(scenario.infos.join()).toContain(
    "functions.set-out.verifyJwt: no longer managed, stays false. To require a valid JWT, declare `true`.",
  );
  const updated = await managed.update(made, left);
  scenario.emulator.control.edit(({ projects }) =>
    projects.get(ref)?.functions.forEach((one) => void (one.verifyJwt = true)),
  );
  scenario.nextRun();
  const read = await managed.read(updated);
  expect(managed.diff(read?.state ?? {}, left).changes).toBe(false);
});

it("says nothing of a function that goes with its settings", async () => {
  const resource = resourceByType("FunctionSet");
  const managed = scenario.manage(resource);
  const [first, second] = [folderOf("first"), folderOf("second")];
  for (const path of ["first/hello", "first/other", "second/other"]) functionIn(path);
  const functions = { hello: { verifyJwt: false } };
  const made = await managed.create({ projectRef: ref, sourceDir: first, functions });
  const left = managed.checked({ projectRef: ref, sourceDir: second });
  scenario.infos.length = 0;
  diffResource(scenario.runtime, resource, made.id, made.state, left, () => false);
  expect(scenario.infos).toEqual([]);
});

const description = () =>
  scenario.emulator.control.call("listApiKeys", { ref }).find(({ name }) => name === "backend")?.description;

it("removes the description of a key", async () => {
  const { lines } = await takenOut("ApiKey", { type: "secret", name: "backend", description: "one" }, [
    "description",
  ]);
  expect(lines).toEqual([]);
  expect(description()).toBeNull();
});

it("leaves a description that somebody else wrote meanwhile", async () => {
  const managed = scenario.manage(resourceByType("ApiKey"));
  const inputs = { projectRef: ref, type: "secret", name: "backend" };
  const made = await managed.create({ ...inputs, description: "one" });
  scenario.emulator.control.edit(({ projects }) =>
    projects.get(ref)?.apiKeys.forEach((key) => void (key.description = "by hand")),
  );
  scenario.nextRun();
  await managed.update(made, inputs);
  expect(description()).toBe("by hand");
  expect(scenario.warnings.join()).toContain("was changed elsewhere since this program set it");
});

it("says of a branch what stays, and shows no value of a secret", async () => {
  const inputs = {
    name: "preview",
    gitBranch: "feature/a",
    notifyUrl: "https://ci.example.com/hook",
    persistent: true,
    secrets: { TOKEN: "the-token" },
  };
  const { lines } = await takenOut("Branch", inputs, ["gitBranch", "notifyUrl", "persistent", "secrets"]);
  expect(lines).toEqual([
    'gitBranch: no longer managed, stays "feature/a". To deploy from another branch, declare it. To detach the branch from Git, declare `""` before you remove the input.',
    "persistent: no longer managed, stays true. To change it, declare `true` or `false`.",
    "secrets: no longer managed, stays as it is. To remove the secrets, declare `{}` before you remove the input.",
    'notifyUrl: no longer managed, stays "https://ci.example.com/hook". The service cannot unset it. For another URL, declare it.',
  ]);
  expect(
    scenario.emulator.control.call("listBranches", { ref }).find(({ name }) => name === "preview"),
  ).toMatchObject({ git_branch: "feature/a", persistent: true, notify_url: "https://ci.example.com/hook" });
});

it("shows no value of an input of which the program made a secret", async () => {
  const resource = resourceByType("SsoProvider");
  const managed = scenario.manage(resource);
  const inputs = { projectRef: ref, metadataUrl };
  const made = await managed.create({ ...inputs, domains: ["secret.example.com"] });
  diffResource(scenario.runtime, resource, made.id, made.state, managed.checked(inputs), () => true);
  expect(scenario.infos.join()).toContain("domains: no longer managed, stays as it is.");
  expect(scenario.infos.join()).not.toContain("secret.example.com");
});

it("says before the update which setting the service cannot unset, and nothing of one that goes back", async () => {
  const inputs = { dbSchema: "public", dbPool: 20, maxRows: 5 };
  const { lines, updated } = await takenOut("RestLayerConfig", inputs, ["dbPool", "maxRows"]);
  expect(lines).toEqual(["dbPool: no longer managed, stays 20."]);
  expect(scenario.emulator.control.call("getRestLayerConfig", { ref })).toMatchObject({ max_rows: 1000 });
  expect(updated.state).not.toHaveProperty("dbPool");
});

it("replaces an object as declared, and says nothing of what its successor is made without", async () => {
  const resource = resourceByType("Branch");
  const managed = scenario.manage(resource);
  const inputs = { projectRef: ref, name: "preview", postgresEngine: "15", gitBranch: "feature/a" };
  const made = await managed.create(inputs);
  const left = managed.checked({ projectRef: ref, name: "preview", postgresEngine: "17" });
  scenario.infos.length = 0;
  diffResource(scenario.runtime, resource, made.id, made.state, left, () => false);
  expect(scenario.infos).toEqual([]);
});

it("does not run an action again, and says so", async () => {
  const resource = resourceByType("NetworkBanRemoval");
  const managed = scenario.manage(resource);
  const inputs = { projectRef: ref, ipv4Addresses: ["203.0.113.7"] };
  const made = await managed.create({ ...inputs, requesterIp: true });
  diffResource(scenario.runtime, resource, made.id, made.state, managed.checked(inputs), () => false);
  expect(scenario.infos.join()).toContain(
    "requesterIp: removed. This does not run the action again. To run it again, change `triggers`.",
  );
});

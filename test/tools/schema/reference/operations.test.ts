import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userIdOf } from "../../../../emulator/service/access/caller";
import { allFunctions } from "../../../../provider/catalog/catalog";
import type { Step } from "../../../../tools/fixtures/conditional-calls";
import { invokeFunction } from "../../../../provider/engine/invoke";
import type { Values } from "../../../../provider/define/values";
import { operations } from "../../../../spec/table";
import { asDocumented } from "../../../../tools/fixtures/documented-service";
import { giveEnterprisePlan } from "../../../../tools/fixtures/given-addons";
import { recordedCalls } from "../../../../tools/generate/recorded-calls";
import type { RecordedCalls } from "../../../../tools/schema/reference/operation-use";
import { resourceOf, samples, type Sample } from "../../../kit/samples";
import { newEndpoint } from "../../../../tools/fuzz/operations/samples/webhooks";
import { startScenario } from "../../../kit/scenario";

const RECORD = join(__dirname, "../../../../tools/generate/recorded-calls.json");
const seen: Record<string, RecordedCalls> = {};
/** With `npm run record:calls` what is seen is what is right. */
const isRecording = process.env["RECORD_CALLS"] !== undefined;

afterAll(() => {
  if (isRecording) writeFileSync(RECORD, JSON.stringify(recordOf(seen)));
});

/** What was not run, as with `-t`, stays as it is recorded. */
function recordOf(run: Readonly<Record<string, RecordedCalls>>): Record<string, RecordedCalls> {
  // What an earlier recording wrote.
  const before = JSON.parse(readFileSync(RECORD, "utf8")) as Readonly<Record<string, RecordedCalls>>;
  const names = [...samples.map(({ type }) => type), ...allFunctions().map(({ name }) => name)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const calls = run[name] ?? before[name];
      return calls === undefined ? [] : [[name, calls]];
    }),
  );
}

/** Names what the record has and a run does not show, and what it lacks. */
function faultsOf(name: string, calls: RecordedCalls): string[] {
  seen[name] = calls;
  if (isRecording) return [];
  const texts = (these: RecordedCalls): string[] =>
    Object.entries(these).flatMap(([operation, steps]) =>
      (steps.length === 0 ? [""] : steps.map((step) => `.${step}`)).map(
        (step) => `${name}${step} calls ${operation}`,
      ),
    );
  const [is, was] = [texts(calls), texts(recordedCalls(name))];
  return [
    ...is.filter((text) => !was.includes(text)).map((text) => `${text}, which is not recorded`),
    ...was.filter((text) => !is.includes(text)).map((text) => `No run shows that ${text}, which is recorded`),
  ].map((fault) => `${fault}: run \`npm run record:calls\`, then \`npm run generate\`.`);
}

/** The operations that each step of a sample's life calls, in the order of the table. */
async function callsOf(sample: Sample): Promise<RecordedCalls> {
  const scenario = await startScenario();
  const { control } = scenario.emulator;
  const steps = new Map<string, Set<Step>>(Object.keys(operations).map((name) => [name, new Set()]));
  const during = async <T>(step: Step, work: () => Promise<T>): Promise<T> => {
    // As another run does: a shared answer would hide a call.
    scenario.nextRun();
    control.clearCalls();
    const result = await work();
    for (const { operation } of control.calls()) steps.get(operation ?? "")?.add(step);
    return result;
  };
  try {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const managed = scenario.manage(resourceOf(sample));
    const inputs: Values = sample.inputs(ref);
    const made = await during("create", () => managed.create(inputs));
    sample.afterCreate?.(scenario, ref);
    await during("read", () => managed.read(made));
    const changed = await during("update", () => managed.update(made, sample.changed(ref)));
    await during("delete", () => managed.delete(changed));
    return Object.fromEntries([...steps].flatMap(([name, at]) => (at.size === 0 ? [] : [[name, [...at]]])));
  } finally {
    await scenario.close();
  }
}

describe.each(samples.map((sample) => [sample.type, sample] as const))("the page of %s", (type, sample) => {
  it("lists the operations that each step of its sample calls", async () => {
    expect(faultsOf(type, await callsOf(sample))).toEqual([]);
  });
});

/** Identifiers of what functions look for in a project. */
interface Made {
  readonly branchRef: string;
  readonly snippetId: string;
  readonly endpointId: string;
}

const clientId = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Arguments under which a function finds something in the emulator. */
const argumentsOf: Readonly<Record<string, (ref: string, made: Made) => Values>> = {
  getProject: (ref) => ({ ref }),
  getProjects: () => ({ organizationSlug: "acme" }),
  getAvailableRegions: () => ({ organizationSlug: "acme" }),
  getOrganization: () => ({ slug: "acme" }),
  getMembers: () => ({ organizationSlug: "acme" }),
  getEntitlements: () => ({ organizationSlug: "acme" }),
  getProfile: () => ({}),
  getOrganizations: () => ({}),
  getBranch: (projectRef) => ({ projectRef, name: "preview" }),
  getBranchDiff: (_, { branchRef }) => ({ branchRef }),
  getApiKey: (projectRef) => ({ projectRef, name: "anon" }),
  getSigningKey: (projectRef) => ({ projectRef, status: "in_use" }),
  getSsoProvider: (projectRef) => ({ projectRef, domain: "example.com" }),
  getThirdPartyAuth: (projectRef) => ({ projectRef, oidcIssuerUrl: "https://idp.example.com" }),
  getEdgeFunction: (projectRef) => ({ projectRef, slug: "hello" }),
  getJitAuthorization: (projectRef) => ({ projectRef, role: "postgres", host: "192.0.2.7" }),
  getQueryResult: (projectRef) => ({ projectRef, query: "select 1" }),
  getVanitySubdomainAvailability: (projectRef) => ({ projectRef, vanitySubdomain: "shop" }),
  getSnippet: (_, { snippetId }) => ({ snippetId }),
  getFunctionStats: (projectRef) => ({ projectRef, slug: "hello", interval: "1day" }),
  getWebhookDeliveries: (projectRef, { endpointId }) => ({ projectRef, endpointId }),
  getAuthorizeUrl: () => ({ clientId, redirectUri: "https://app.example.com" }),
};

/** What the service was measured to refuse by now. */
const NEEDS_FORMER: ReadonlySet<string> = new Set(["getRestorePoints"]);

describe.each(allFunctions().map((one) => [one.name, one] as const))("the page of %s", (name, definition) => {
  it("lists the operations that it calls", async () => {
    const scenario = await startScenario();
    const { control } = scenario.emulator;
    try {
      const ref = scenario.healthyProject();
      const addon = { addon_type: "custom_domain", addon_variant: "cd_default" } as const;
      control.call("applyAddon", { ref, body: addon });
      control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
      const metadata_url = "https://idp.example.com/metadata";
      const sso = { type: "saml" as const, metadata_url, domains: ["example.com"] };
      control.call("createSsoProvider", { ref, body: sso });
      control.call("createThirdPartyAuth", { ref, body: { oidc_issuer_url: "https://idp.example.com" } });
      const file = [{ name: "index.ts", content: Buffer.from("Deno.serve(() => new Response());") }];
      const code = { file, metadata: { entrypoint_path: "index.ts" } };
      control.call("deployFunction", { ref, slug: "hello", body: code });
      control.call("updateJitAccess", { ref, body: { state: "enabled" } });
      const roles = [{ role: "postgres" }];
      control.call("updateJitUser", { ref, body: { user_id: userIdOf("owner"), roles } });
      const branch = control.call("createBranch", { ref, body: { branch_name: "preview" } });
      const snippet = { projectRef: ref, name: "orders", sql: "select 1", visibility: "project" } as const;
      const endpoint = control.call("createProjectWebhookEndpoint", { ref, body: newEndpoint });
      const made = {
        branchRef: branch.project_ref,
        snippetId: control.createSnippet(snippet),
        endpointId: endpoint.data.id,
      };
      scenario.clock.advance(10 * 60_000);
      if (NEEDS_FORMER.has(name)) control.edit(asDocumented);
      if (name === "getBackupSchedule") giveEnterprisePlan(scenario, ref);
      control.clearCalls();
      if (name === "getRestoreVersions") control.set(["projects", ref, "forcedStatus"], "INACTIVE");
      const given = argumentsOf[name]?.(ref, made) ?? { projectRef: ref };
      await invokeFunction(scenario.runtime, definition, given);
      const calls = control.calls().map(({ operation }) => [operation ?? "none", []]);
      expect(faultsOf(name, Object.fromEntries(calls) as RecordedCalls)).toEqual([]);
    } finally {
      await scenario.close();
    }
  });
});

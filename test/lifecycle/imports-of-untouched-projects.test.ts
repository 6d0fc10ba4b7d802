import { resources } from "../../provider/catalog";
import type { AnyResource } from "../../provider/define/resource";
import { checkInputs } from "../../provider/lifecycle/check";
import { diffAt } from "../../provider/lifecycle/due";
import { importResource } from "../../provider/lifecycle/import";
import type { Values } from "../../provider/lifecycle/state";
import { startScenario, type Scenario } from "./scenario";

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** What a program must say beside the project's reference. */
const required: Readonly<Record<string, readonly string[]>> = {
  CryptoExtensionKey: ["rootKey"],
  LegacyApiKeys: ["enabled"],
  SslEnforcement: ["database"],
};

/** What an untouched project does not have. */
const absent = ["CustomHostname", "CustomHostnameActivation", "VanitySubdomain"];

const configurations = resources.filter(
  ({ type, importId }) => importId.isProjectRef === true && !absent.includes(type),
);

async function imported(resource: AnyResource): Promise<{ inputs: Values; state: Values }> {
  const read = await importResource(scenario.runtime, resource, ref, true);
  if (read === undefined) throw new Error(`${resource.type} is not there`);
  return read;
}

/** That the program which an import writes passes check, shows no change and sends nothing. */
async function expectNoChange(resource: AnyResource, state: Values, declared: Values): Promise<void> {
  const { inputs, failures } = checkInputs(resource, declared, declared);
  expect(failures).toEqual([]);
  expect(diffAt(resource, state, inputs, scenario.clock.now()).changes).toBe(false);
  scenario.nextRun();
  const read = await scenario.manage(resource).read({ id: ref, state });
  expect(diffAt(resource, read?.state ?? {}, inputs, scenario.clock.now()).changes).toBe(false);
}

it.each(configurations.map((resource) => [resource.type, resource] as const))(
  "%s of an untouched project is imported without its defaults, and shows no change",
  async (type, resource) => {
    const { inputs, state } = await imported(resource);
    expect(Object.keys(inputs).sort()).toEqual(["projectRef", ...(required[type] ?? [])].sort());
    await expectNoChange(resource, state, inputs);
  },
);

it("declares what somebody changed, and only that of a group", async () => {
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project === undefined) return;
    project.auth.config = {
      ...project.auth.config,
      jwt_exp: 1800,
      mailer_secure_email_change_enabled: false,
      mailer_subjects_invite: "Welcome",
      external_idp03_enabled: true,
      external_idp03_client_id: "client",
      external_idp03_secret: "hidden-from-imports",
      security_captcha_enabled: true,
      security_captcha_secret: "hidden-from-imports",
    };
    project.storage.fileSizeLimit = 1024;
    project.storage.features.s3Protocol = { enabled: false };
  });
  const byType = (type: string): AnyResource => {
    const found = resources.find((resource) => resource.type === type);
    if (found === undefined) throw new Error(`There is no ${type}`);
    return found;
  };
  const auth = await imported(byType("AuthConfig"));
  expect(auth.inputs).toEqual({
    projectRef: ref,
    jwtExp: 1800,
    mailer: { secureEmailChangeEnabled: false },
    external: { idp03: { enabled: true, clientId: "client" } },
    security: { captchaEnabled: true },
  });
  await expectNoChange(byType("AuthConfig"), auth.state, auth.inputs);
  const storage = await imported(byType("StorageConfig"));
  expect(storage.inputs).toEqual({
    projectRef: ref,
    fileSizeLimit: 1024,
    features: { s3Protocol: { enabled: false } },
  });
  await expectNoChange(byType("StorageConfig"), storage.state, storage.inputs);
});

it("does not take a later change of what it left out for drift", async () => {
  const realtime = resources.find(({ type }) => type === "RealtimeConfig");
  if (realtime === undefined) throw new Error("There is no RealtimeConfig");
  const { inputs, state } = await imported(realtime);
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.realtime.config = { ...project.realtime.config, private_only: true };
  });
  await expectNoChange(realtime, state, inputs);
});

import { isDeepStrictEqual } from "node:util";
import { takeInventory } from "../../import/inventory";
import { buildProgram, type ProgramResource } from "../../import/model";
import { ApiError, InvalidInputError } from "../../provider/client/errors/errors";
import type { CallRecord } from "../../emulator/service/world/call-record";
import { checkInputs } from "../../provider/engine/check";
import { diffAt } from "../../provider/engine/diff";
import { updateResource } from "../../provider/engine/update";
import { fieldOf, traitsOf } from "../../provider/define/markers";
import type { Values } from "../../provider/define/values";
import { InitializationError } from "../../provider/engine/step/errors";
import { operations } from "../../spec/table";
import { resourceOf, samples, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { editsOf, isElsewhere, type ProgramEdit } from "./random/edits";
import { recordedOf } from "./recorded";

/** What `management-import` never writes: what is no part of a project, what the service does not show, and what waits in a comment for its value. */
const NOT_WRITTEN = ["Organization", "OrganizationWebhookEndpoint", "DatabaseWebhooks", "VaultSecret"];

/** Why no single edit updates them in place. */
const NEVER_UPDATED: Readonly<Record<string, string>> = {
  LegacySigningKey: "it has no input but the project",
  ThirdPartyAuth: "the service has no update of it",
  CryptoExtensionKey: "another key needs `allowKeyChange` too",
  ReadReplica: "its region replaces it",
  CustomHostnameActivation: "its hostname replaces it",
  AllowedCidr: "its range replaces it",
};

const written = samples.filter((sample) => {
  const { importId, isAction } = resourceOf(sample);
  return importId.refusal === undefined && isAction !== true && !NOT_WRITTEN.includes(sample.type);
});

/** What takes several calls of the service. */
const SEVERAL_WRITES: Readonly<Record<string, readonly string[]>> = {
  "CustomHostname activate": ["reverifyCustomHostname", "reverifyCustomHostname", "activateCustomHostname"],
  "VanitySubdomain vanitySubdomain": ["checkVanitySubdomain", "activateVanitySubdomain"],
};

const updated: string[] = [];

describe.each(written.map((sample) => [sample.type, sample] as const))("an imported %s", (type, sample) => {
  let scenario: Scenario;
  let ref: string;
  let imported: ProgramResource;
  beforeEach(async () => {
    scenario = await startScenario({ pace: 0 });
    scenario.emulator.control.set("jitAccessShowsState", true);
    ref = scenario.healthyProject("bystander");
    imported = await importedOf(sample);
  });
  afterEach(() => scenario.close());

  it("shows of one edit that one difference, and brings it about by one write", async () => {
    const resource = resourceOf(sample);
    const edits = [...editsOf(resource, imported.inputs), ...editsOfSample(sample)];
    let isUpdated = false;
    for (const { path, edited, replaces } of edits) {
      scenario.clock.advance(24 * 3_600_000);
      scenario.nextRun();
      const recorded = await recordedOf(scenario.runtime, imported);
      const found = differencesOrRefusal(() =>
        diffAt(resource, recorded.state, checked(edited), scenario.clock.now()),
      );
      if (found === undefined) continue;
      const others = found.properties.filter((each) => isElsewhere(resource, each.path, path));
      expect({ path, count: found.properties.length > 0, others }).toEqual({ path, count: true, others: [] });
      if (replaces !== undefined || isUpdated) continue;
      scenario.emulator.control.clearCalls();
      const { id, state } = recorded;
      const made = await updateResource(scenario.runtime, resource, id, state, checked(edited)).catch(
        acceptRefusal,
      );
      if (made === undefined) continue;
      const writes = scenario.emulator.control.calls().filter(isWrite);
      const expected = SEVERAL_WRITES[`${type} ${path}`] ?? [expect.any(String)];
      expect({ path, writes: writes.map(({ operation }) => operation) }).toEqual({ path, writes: expected });
      expect(diffAt(resource, made.state, checked(edited), scenario.clock.now()).changes).toBe(false);
      isUpdated = true;
    }
    if (isUpdated) updated.push(type);
  });

  function checked(inputs: Readonly<Record<string, unknown>>): Values {
    const { inputs: all, failures } = checkInputs(resourceOf(sample), { ...inputs }, { ...inputs });
    expect(failures).toEqual([]);
    return all;
  }

  /** What the sample changes, one input at a time: of some, no value can be made up. */
  function editsOfSample({ inputs, changed }: Sample): ProgramEdit[] {
    const before = inputs(ref);
    return Object.entries(changed(ref)).flatMap(([name, value]) => {
      if (isDeepStrictEqual(value, before[name])) return [];
      const field = fieldOf(resourceOf(sample).inputs, name);
      const isReplacing = field !== undefined && traitsOf(field).replaces !== undefined;
      const edited = { ...imported.inputs, [name]: value };
      return [{ path: name, edited, replaces: isReplacing ? name : undefined }];
    });
  }

  /** The object of a sample, which somebody else made, as the command declares it. */
  async function importedOf({
    inputs,
    secretInputs,
    prepare,
    afterCreate,
  }: Sample): Promise<ProgramResource> {
    prepare?.(scenario, ref);
    const given = { ...inputs(ref), ...secretInputs };
    const made = await scenario.manage(resourceOf(sample)).create(given);
    afterCreate?.(scenario, ref);
    scenario.nextRun();
    const { directory, name, value, projectRef = made.id } = given as Readonly<Record<string, string>>;
    const inventory = await takeInventory(scenario.runtime, {
      ...{ projectRef, full: true },
      choose: ["AllowedCidr", "Migration"].filter((each) => each === type),
      secretValues: type === "Secret" ? new Map([[name ?? "", value ?? ""]]) : new Map(),
      migrations: type === "MigrationSet" ? directory : undefined,
    });
    const all = buildProgram(inventory).resources.filter(
      (each) => each.type === type && each.comment === undefined,
    );
    const one = all.find(({ importId }) => importId.endsWith(made.id)) ?? all[0];
    if (one === undefined) throw new Error(`the program has no ${type}`);
    return one;
  }
});

it("is proven of every type that can be changed in place", () => {
  const types = written.map(({ type }) => type);
  expect(types.filter((type) => !updated.includes(type))).toEqual(Object.keys(NEVER_UPDATED));
});

/** Undefined where the edit is refused as a whole, as one that would replace a project. */
function differencesOrRefusal<T>(differences: () => T): T | undefined {
  try {
    return differences();
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** What the service does not take is no edit. */
function acceptRefusal(error: unknown): undefined {
  const cause: unknown = error instanceof InitializationError ? error.cause : error;
  if (cause instanceof ApiError || cause instanceof InvalidInputError) return undefined;
  throw error;
}

function isWrite({ method, operation }: CallRecord): boolean {
  const isRead = operation !== undefined && operations[operation].scope?.endsWith(":read") === true;
  return method !== "GET" && !isRead;
}

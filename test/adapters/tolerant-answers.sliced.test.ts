import { z } from "zod";
import type { Values } from "../../provider/define/values";
import { IDENTIFIER } from "../../spec/identifier";
import { isObject } from "../../spec/is-object";
import { shapeOf } from "../../spec/shape-of";
import { operations } from "../../spec/table";
import { isConfiguration, samplesInTier } from "../kit/samples";
import { AdapterLife, adapters, checked } from "../kit/adapter-life";
import { withJson, type Answer, type ProxiedRequest } from "../kit/answer-proxy";
import type { InState, ProviderProcess, StepFailure } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";

// The service may leave out, null or add what its documents call optional, and every list of an answer is open.

type Mode = "absent" | "null" | "unlisted" | "strange";

const MODES: readonly (readonly [mode: Mode, what: string])[] = [
  ["absent", "all optional fields are absent"],
  ["null", "all optional fields are null"],
  ["unlisted", "every value of a list is one of tomorrow"],
  ["strange", "every object has a field of tomorrow"],
];

/** The answer as it would be in a mode, by the schema of its operation. */
function changed(schema: z.ZodType, value: unknown, mode: Mode): unknown {
  const shape = shapeOf(schema);
  if (value === null || value === undefined) return value;
  switch (shape.kind) {
    case "object": {
      if (!isObject(value)) return value;
      const fields = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
        const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
        if (field === undefined) return [[key, each]];
        const isOptional = field._zod.optin === "optional" && !isIdentifier(field);
        if (isOptional && mode === "absent") return [];
        if (isOptional && mode === "null") return [[key, null]];
        return [[key, changed(field, each, mode)]];
      });
      const strange = mode === "strange" ? { fieldOfTomorrow: { list: [null, { a: 1 }] } } : {};
      return { ...Object.fromEntries(fields), ...strange };
    }
    case "array":
      return Array.isArray(value) ? value.map((each) => changed(shape.element, each, mode)) : value;
    case "record":
      return isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([key, each]) => [key, changed(shape.values, each, mode)]),
          )
        : value;
    case "union": {
      const option = shape.options.find((each) => each.safeParse(value).success);
      return option === undefined ? value : changed(option, value, mode);
    }
    case "enum":
      return mode === "unlisted" && typeof value === "string" && !isIdentifier(schema)
        ? "VALUE_OF_TOMORROW"
        : value;
    default:
      return value;
  }
}

function isIdentifier(schema: z.ZodType): boolean {
  return z.globalRegistry.get(shapeOf(schema).inner)?.[IDENTIFIER] === true;
}

/** Fields whose absence says that nothing is set. */
const SET_BY_PRESENCE: Readonly<Record<string, string>> = {
  PostgresConfig: "a setting that the answer lacks has the server's default",
  JitUser: "a role without `expires_at` and networks has no limit",
  Branch: "a branch without `git_branch` is linked to no branch of Git",
};

/**
 * What a step ends with where it cannot go on: it waits for a state, and one that no version knows prolongs the wait until its
 * deadline; or the value decides what it does.
 */
const REFUSED: Readonly<Partial<Record<Mode, Readonly<Record<string, RegExp>>>>> = {
  absent: {
    ApiKey: /^createApiKey: "id" is missing in a successful answer/,
    // A write sets the throughput, and what it is is not known.
    Disk: /the service does not show the throughput of the disk/,
    // One of two forms of the answer, each of which has a field that the other lacks.
    JitAccess: /^getJitAccess failed: the answer has no state/,
    // A write replaces the lists, and what they hold is not known.
    NetworkRestrictions: /the service does not show `allowedCidrs`, `allowedCidrsV6` of the project/,
  },
  null: {
    ApiKey: /^createApiKey: "id" is of kind null in a successful answer/,
    // A write sets the throughput, and what it is is not known.
    Disk: /the service does not show the throughput of the disk/,
    JitAccess: /^getJitAccess failed: the answer has no state/,
    // A write replaces the lists, and what they hold is not known.
    NetworkRestrictions: /the service does not show `allowedCidrs`, `allowedCidrsV6` of the project/,
  },
  unlisted: {
    BackupRestore: /^Timed out waiting for the restore of .*; last seen: it is VALUE_OF_TOMORROW/,
    BillingAddon: /^Timed out waiting for the selection of the add-on .*; last seen: VALUE_OF_TOMORROW/,
    Branch: /^Timed out waiting for the branch .*; last seen: VALUE_OF_TOMORROW/,
    BranchMerge:
      /^Timed out waiting for the action run .*; last seen: VALUE_OF_TOMORROW is VALUE_OF_TOMORROW/,
    BranchPush: /^Timed out waiting for the action run .*; last seen: VALUE_OF_TOMORROW is VALUE_OF_TOMORROW/,
    BranchReset:
      /^Timed out waiting for the action run .*; last seen: VALUE_OF_TOMORROW is VALUE_OF_TOMORROW/,
    CustomHostnameActivation: /^Timed out waiting for the DNS records .*; last seen: VALUE_OF_TOMORROW/,
    JitAccess: /was set to enabled, but the service returns VALUE_OF_TOMORROW/,
    PitrRestore: /^Timed out waiting for the restore of .*; last seen: it is VALUE_OF_TOMORROW/,
    PostgresConfig: /^Timed out waiting for the services of .*; last seen: db is not reported/,
    Project: /^Timed out waiting for the project .*; last seen: VALUE_OF_TOMORROW/,
    ProjectRestart: /^Timed out waiting for the services of .*; last seen: auth is not reported/,
    ReadReplica: /^Timed out waiting for the new read replica/,
    RestoreCancellation: /^Timed out waiting for the cancellation .*; last seen: it is VALUE_OF_TOMORROW/,
    RestorePoint: /^Timed out waiting for the restore point .*; last seen: it is VALUE_OF_TOMORROW/,
    RestorePointUndo: /^Timed out waiting for the restore of .*; last seen: it is VALUE_OF_TOMORROW/,
    SigningKey: /is VALUE_OF_TOMORROW and cannot be set to standby\.$/,
    VanitySubdomain: /^The VanitySubdomain already exists: .*VALUE_OF_TOMORROW/,
  },
};

function rewrite(mode: Mode) {
  return (answer: Answer, { operation }: ProxiedRequest): Partial<Answer> => {
    const isJson = answer.headers["content-type"]?.includes("json") === true;
    // What is read is written back, and the emulator takes no setting of tomorrow.
    if (mode === "strange" && operation === "getPostgresConfig") return {};
    if (operation === undefined || answer.status >= 300 || !isJson || answer.body.byteLength === 0) return {};
    const { schema } = operations[operation].success;
    return withJson(answer, (value) => changed(schema, value, mode));
  };
}

/** As `pulumi up --refresh` does, on a machine that has forgotten what the last run wrote to its disk. */
async function continueAfter(failure: unknown, next: ProviderProcess, inputs: Values): Promise<InState> {
  const { id, properties } = failure as StepFailure;
  const there = id === undefined ? undefined : await next.read({ id, outs: properties ?? {} });
  if (there !== undefined && there.id !== "") return next.update(there, inputs);
  return next.create(inputs).catch(async (error: unknown) => {
    // Only its disk says that this program has made the object.
    expect(saidBy(error)).toContainEqual(expect.stringContaining("already exists"));
    return next.create({ ...inputs, adopt: true });
  });
}

function saidBy(error: unknown): string[] {
  const { message, reasons = [] } = error as StepFailure;
  return [message, ...reasons];
}

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
});
afterEach(() => scenario.close());

describe.each(MODES)("%s: %s", (mode) => {
  describe.each(
    samplesInTier().flatMap((sample) =>
      adapters.map((adapter) => [sample.type, adapter.name, sample, adapter] as const),
    ),
  )("%s through the %s adapter", (_type, _adapter, sample, adapter) => {
    const refused = REFUSED[mode]?.[sample.type];
    if (refused !== undefined) {
      it("ends with an error that says what it saw, and the next run goes on", async () => {
        const life = new AdapterLife(scenario, sample, adapter);
        const disturbed = scenario.proxy.disturb({ rewrite: rewrite(mode) });
        try {
          const first = await life.nextProcess();
          const inputs = await checked(first, life.declared());
          const failure: unknown = await first.create(inputs).then(
            () => undefined,
            (error: unknown) => error,
          );
          expect(failure && saidBy(failure)).toContainEqual(expect.stringMatching(refused));
          disturbed.end();
          const next = await life.nextProcess();
          const made = await continueAfter(failure, next, inputs);
          expect(await life.shown()).toHaveLength(1);
          expect(await next.diff(made, inputs)).toMatchObject({ changes: false });
        } finally {
          await life.close();
        }
      });
      return;
    }
    it("is made, shows no change, is read and deleted", async () => {
      const life = new AdapterLife(scenario, sample, adapter);
      const disturbed = scenario.proxy.disturb({ rewrite: rewrite(mode) });
      try {
        const first = await life.nextProcess();
        const inputs = await checked(first, life.declared());
        const made = await first.create(inputs);
        expect(await life.shown()).toHaveLength(1);
        expect(disturbed.requests.length).toBeGreaterThan(0);
        const second = await life.nextProcess();
        const same = await second.diff(made, inputs);
        // A value of tomorrow in place of the declared one is drift, and no reason to delete anything.
        const isDrift = mode !== "strange" && SET_BY_PRESENCE[sample.type] !== undefined;
        if (mode === "unlisted" || isDrift) expect(same.replaces ?? []).toEqual([]);
        else expect(same).toMatchObject({ changes: false });
        const read = await second.read(made);
        expect(read.id).toBe(made.id);
        const reread = await second.diff(read, inputs);
        expect(reread.replaces ?? []).toEqual([]);
        // What is absent is not known.
        if (mode === "absent" && !isDrift) expect(reread).toMatchObject({ changes: false });
        await (await life.nextProcess()).delete(read);
        if (!isConfiguration(sample))
          expect(await life.shown()).toHaveLength(sample.cleanUp === undefined ? 0 : 1);
      } finally {
        await life.close();
      }
    });
  });
});

import fc from "fast-check";
import { freshReal, startReal, statusOfCall, stopReal, type Real } from "./scene";

const MINUTE_MS = 60_000;
/** Longer than any change of a setting takes to come into force. */
const SETTLED_MS = 2 * MINUTE_MS;
/** service, SSL enforcement. */
const OVERRIDE_MS = 15 * MINUTE_MS;
/** service, Disk: one change of the disk in four hours. */
const COOLDOWN_MS = 4 * 60 * MINUTE_MS;

interface Model {
  now: number;
  allowed: string[];
  restrictedAt: number | undefined;
  diskGb: number;
  diskChangedAt: number | undefined;
  isReadOnly: boolean;
  overrideUntil: number;
  /** When each replica was asked for. */
  replicas: number[];
}

const hasPassed = (model: Model, since: number | undefined, ms: number): boolean =>
  since === undefined || model.now - since >= ms;

function compare(model: Model, { control, ref }: Real): void {
  const restrictions = control.call("getNetworkRestrictions", { ref });
  expect([...(restrictions.config.dbAllowedCidrs ?? [])].sort()).toEqual([...model.allowed].sort());
  if (hasPassed(model, model.restrictedAt, SETTLED_MS)) expect(restrictions.status).toBe("applied");

  if (hasPassed(model, model.diskChangedAt, SETTLED_MS)) {
    expect(control.call("getDisk", { ref }).attributes.size_gb).toBe(model.diskGb);
  }

  const readonly = control.call("getReadonlyMode", { ref });
  const isOverridden = model.now < model.overrideUntil;
  expect([readonly.enabled, readonly.override_enabled]).toEqual([model.isReadOnly, isOverridden]);

  const [listed] = control.call("listOrganizationProjects", { slug: "acme" }).projects;
  const replicas = (listed?.databases ?? []).filter(({ type }) => type === "READ_REPLICA");
  expect(replicas).toHaveLength(model.replicas.length);
  const settled = model.replicas.filter((since) => hasPassed(model, since, SETTLED_MS)).length;
  expect(replicas.filter(({ status }) => status === "ACTIVE_HEALTHY").length).toBeGreaterThanOrEqual(settled);
}

/** An act on the service and what it means to the model. */
class Act implements fc.Command<Model, Real> {
  constructor(
    readonly what: string,
    readonly act: (model: Model, real: Real) => void,
  ) {}
  check = () => true;
  run(model: Model, real: Real): void {
    this.act(model, real);
    compare(model, real);
  }
  toString = () => this.what;
}

const cidrs = ["10.0.0.0/8", "192.0.2.0/24", "203.0.113.7/32"] as const;

const advance = (ms: number): Act =>
  new Act(`advance ${ms} ms`, (model, { control }) => {
    control.advance(ms);
    model.now += ms;
  });

const replaceRestrictions = (list: readonly string[]): Act =>
  new Act(`allow only ${list.join()}`, (model, { control, ref }) => {
    control.call("applyNetworkRestrictions", { ref, body: { dbAllowedCidrs: [...list] } });
    Object.assign(model, { allowed: [...list], restrictedAt: model.now });
  });

const mergeRestrictions = (add: readonly string[], remove: readonly string[]): Act =>
  new Act(`allow ${add.join()} and no more ${remove.join()}`, (model, { control, ref }) => {
    const body = { add: { dbAllowedCidrs: [...add] }, remove: { dbAllowedCidrs: [...remove] } };
    control.call("patchNetworkRestrictions", { ref, body });
    const kept = model.allowed.filter((cidr) => !remove.includes(cidr));
    Object.assign(model, { allowed: [...new Set([...kept, ...add])], restrictedAt: model.now });
  });

const growDisk = (byGb: number): Act =>
  new Act(`grow the disk by ${byGb} GB`, (model, { control, ref }) => {
    const size_gb = model.diskGb + byGb;
    const body = { attributes: { type: "gp3", iops: 3_000, size_gb } } as const;
    const isTaken = hasPassed(model, model.diskChangedAt, COOLDOWN_MS);
    expect(statusOfCall(() => control.call("updateDisk", { ref, body }))).toBe(isTaken ? 200 : 429);
    if (isTaken) Object.assign(model, { diskGb: size_gb, diskChangedAt: model.now });
  });

const setReadOnly = (enabled: boolean): Act =>
  new Act(`read-only ${enabled}`, (model, { control, ref }) => {
    control.set(["projects", ref, "readonly", "enabled"], enabled);
    model.isReadOnly = enabled;
  });

const overrideReadOnly = new Act("override read-only mode", (model, { control, ref }) => {
  const code = statusOfCall(() => control.call("disableReadonlyMode", { ref }));
  expect(code).toBe(model.isReadOnly ? 200 : 400);
  if (code === 200) model.overrideUntil = model.now + OVERRIDE_MS;
});

const addReplica = new Act("set up a read replica", (model, { control, ref }) => {
  const body = { read_replica_region: "eu-west-1" } as const;
  const code = statusOfCall(() => control.call("setUpReadReplica", { ref, body }));
  expect(code).toBe(model.replicas.length < 2 ? 200 : 400);
  if (code === 200) model.replicas.push(model.now);
});

const commands = fc.commands(
  [
    fc.constantFrom(1_000, SETTLED_MS, OVERRIDE_MS - 1, OVERRIDE_MS, COOLDOWN_MS).map(advance),
    fc.subarray([...cidrs]).map(replaceRestrictions),
    fc
      .tuple(fc.subarray([...cidrs]), fc.subarray([...cidrs]))
      .map(([add, remove]) => mergeRestrictions(add, remove)),
    fc.integer({ min: 1, max: 20 }).map(growDisk),
    fc.boolean().map(setReadOnly),
    fc.constant(overrideReadOnly),
    fc.constant(addReplica),
  ],
  { maxCommands: 25 },
);

beforeAll(startReal);
afterAll(stopReal);

describe("what settles or wears off beside a project", () => {
  it("does so on the clock: restrictions, the disk's four hours, the override's quarter of an hour, replicas", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(() => {
          const real = freshReal(120_000);
          // Measured of one size of a disk and of one replica; the model follows the documents.
          real.control.set("service", "2026-06");
          const body = { addon_type: "compute_instance", addon_variant: "ci_small" } as const;
          real.control.call("applyAddon", { ref: real.ref, body });
          real.control.advance(120_000);
          const { size_gb } = real.control.call("getDisk", { ref: real.ref }).attributes;
          const allowed = real.control.call("getNetworkRestrictions", { ref: real.ref }).config
            .dbAllowedCidrs;
          const model: Model = {
            now: 0,
            allowed: [...(allowed ?? [])],
            restrictedAt: undefined,
            diskGb: size_gb,
            diskChangedAt: undefined,
            isReadOnly: false,
            overrideUntil: 0,
            replicas: [],
          };
          return { model, real };
        }, sequence);
      }),
      { numRuns: 150 },
    );
  });
});

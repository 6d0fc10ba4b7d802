import fc from "fast-check";
import { freshReal, startReal, statusOfCall, stopReal, type Real } from "./scene";

type Status = "in_use" | "standby" | "previously_used" | "revoked";
const statuses: readonly Status[] = ["in_use", "standby", "previously_used", "revoked"];

const MINUTE_MS = 60_000;
/** "Minutes" pass between changes of a key's state, and before a revoked key can go (service, Signing keys): surely over. */
const PATIENCE_MS = 10 * MINUTE_MS;
/** Surely not over. */
const HASTE_MS = MINUTE_MS;

interface Key {
  readonly id: string;
  readonly isLegacy: boolean;
  status: Status;
  /** When its state last changed; undefined while it never did. */
  changedAt: number | undefined;
}

interface Model {
  now: number;
  keys: Key[];
  legacyApiKeysEnabled: boolean;
}

/** Which moves a user may make (service, Signing keys). */
const moves: Readonly<Record<Status, readonly Status[]>> = {
  standby: ["in_use", "revoked"],
  in_use: [],
  previously_used: ["standby", "revoked"],
  revoked: ["standby"],
};

function compare(model: Model, { control, ref }: Real): void {
  const { keys } = control.call("listSigningKeys", { ref });
  const seen = keys.map(({ id, status }) => `${id} ${status}`).sort();
  expect(seen).toEqual(model.keys.map(({ id, status }) => `${id} ${status}`).sort());
  expect(keys.filter(({ status }) => status === "in_use")).toHaveLength(1);
  expect(keys.filter(({ status }) => status === "standby").length).toBeLessThanOrEqual(1);
}

function retireKeyInUse(model: Model): void {
  for (const key of model.keys) {
    if (key.status === "in_use") Object.assign(key, { status: "previously_used", changedAt: model.now });
  }
}

const hasStandby = (model: Model): boolean => model.keys.some(({ status }) => status === "standby");

/** As many used keys as the service keeps: none can be retired (service, Signing keys). */
const isFull = (model: Model): boolean =>
  model.keys.filter(({ status }) => status === "previously_used").length >= 3;

/** How long the key has been in its state, as far as the throttle is concerned. */
const restedMs = (model: Model, key: Key): number =>
  key.changedAt === undefined ? Infinity : model.now - key.changedAt;

class Create implements fc.Command<Model, Real> {
  constructor(readonly status: "in_use" | "standby" | undefined) {}
  check = () => true;
  run(model: Model, real: Real): void {
    const { control, ref } = real;
    const body = {
      algorithm: "ES256",
      ...(this.status === undefined ? {} : { status: this.status }),
    } as const;
    const status = this.status ?? "standby";
    if (status === "standby" ? hasStandby(model) : isFull(model)) {
      expect(statusOfCall(() => control.call("createSigningKey", { ref, body }))).toBe(422);
    } else {
      const { id } = control.call("createSigningKey", { ref, body });
      if (status === "in_use") retireKeyInUse(model);
      model.keys.push({ id, isLegacy: false, status, changedAt: undefined });
    }
    compare(model, real);
  }
  toString = () => `create ${this.status ?? "without a status"}`;
}

/** An act on the key with this number, counted round. */
abstract class KeyCommand implements fc.Command<Model, Real> {
  constructor(readonly number: number) {}
  /** Between haste and patience the specification does not say whether the service takes it. */
  check(model: Readonly<Model>): boolean {
    const key = this.keyOf(model);
    const rested = key === undefined ? 0 : restedMs(model, key);
    return rested <= HASTE_MS || rested >= PATIENCE_MS;
  }
  run(model: Model, real: Real): void {
    const key = this.keyOf(model);
    if (key === undefined) return;
    this.act(model, real, key);
    compare(model, real);
  }
  private keyOf(model: Readonly<Model>): Key | undefined {
    return model.keys[this.number % model.keys.length];
  }
  abstract act(model: Model, real: Real, key: Key): void;
}

class Move extends KeyCommand {
  constructor(
    number: number,
    readonly to: Status,
  ) {
    super(number);
  }
  act(model: Model, { control, ref }: Real, key: Key): void {
    const call = (): unknown =>
      control.call("updateSigningKey", { ref, id: key.id, body: { status: this.to } });
    const isTaken =
      this.to === key.status ||
      (moves[key.status].includes(this.to) &&
        restedMs(model, key) >= PATIENCE_MS &&
        !(this.to === "standby" && hasStandby(model)) &&
        !(this.to === "in_use" && isFull(model)) &&
        !(this.to === "revoked" && key.isLegacy && model.legacyApiKeysEnabled));
    expect(statusOfCall(call)).toBe(isTaken ? 200 : 422);
    if (isTaken && this.to !== key.status) {
      if (this.to === "in_use") retireKeyInUse(model);
      Object.assign(key, { status: this.to, changedAt: model.now });
    }
  }
  override toString = () => `set key ${this.number} to ${this.to}`;
}

class Delete extends KeyCommand {
  act(model: Model, { control, ref }: Real, key: Key): void {
    const isTaken = key.status === "revoked" && !key.isLegacy && restedMs(model, key) >= PATIENCE_MS;
    const code = statusOfCall(() => control.call("deleteSigningKey", { ref, id: key.id }));
    expect(code).toBe(isTaken ? 200 : 422);
    if (isTaken) model.keys = model.keys.filter((other) => other !== key);
  }
  override toString = () => `delete key ${this.number}`;
}

class Advance implements fc.Command<Model, Real> {
  constructor(readonly ms: number) {}
  check = () => true;
  run(model: Model, real: Real): void {
    real.control.advance(this.ms);
    model.now += this.ms;
    compare(model, real);
  }
  toString = () => `advance ${this.ms} ms`;
}

class SwitchLegacyApiKeys implements fc.Command<Model, Real> {
  constructor(readonly enabled: boolean) {}
  check = () => true;
  run(model: Model, { control, ref }: Real): void {
    const send = (): unknown => control.call("updateLegacyApiKeys", { ref, enabled: this.enabled });
    // Such keys are signed by the legacy key.
    if (this.enabled && model.keys.some(({ isLegacy, status }) => isLegacy && status === "revoked")) {
      expect(send).toThrow("while the legacy signing key is revoked");
      return;
    }
    send();
    model.legacyApiKeysEnabled = this.enabled;
  }
  toString = () => `switch the legacy API keys ${this.enabled ? "on" : "off"}`;
}

const number = fc.nat(4);
const commands = fc.commands(
  [
    fc.constantFrom("in_use" as const, "standby" as const, undefined).map((status) => new Create(status)),
    fc.tuple(number, fc.constantFrom(...statuses)).map(([of, to]) => new Move(of, to)),
    number.map((of) => new Delete(of)),
    fc.constantFrom(1_000, PATIENCE_MS, PATIENCE_MS).map((ms) => new Advance(ms)),
    fc.boolean().map((enabled) => new SwitchLegacyApiKeys(enabled)),
  ],
  { maxCommands: 30 },
);

beforeAll(startReal);
afterAll(stopReal);

describe("the signing keys of a project", () => {
  it("keep exactly one in use and at most one on standby, whatever is tried, and change as the specification says", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(() => {
          const real = freshReal(120_000);
          const keys = real.control.call("listSigningKeys", { ref: real.ref }).keys.map(({ id, status }) => ({
            id,
            status: status,
            isLegacy: true,
            changedAt: undefined,
          }));
          return { model: { now: 0, keys, legacyApiKeysEnabled: true } satisfies Model, real };
        }, sequence);
      }),
      { numRuns: 150 },
    );
  });
});

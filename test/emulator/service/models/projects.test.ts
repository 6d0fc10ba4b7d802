import fc from "fast-check";
import { freshReal, startReal, statusOfCall, stopReal, type Real } from "./scene";

/** What a project may pass through in each activity, in order (service, Projects); the last one is where it rests. */
const paths = {
  create: ["UNKNOWN", "COMING_UP", "ACTIVE_HEALTHY"],
  pause: ["PAUSING", "INACTIVE"],
  restore: ["RESTORING", "COMING_UP", "ACTIVE_HEALTHY"],
  cancelled: ["INACTIVE"],
  resize: ["RESIZING", "ACTIVE_HEALTHY"],
  restart: ["RESTARTING", "ACTIVE_HEALTHY"],
  upgrade: ["UPGRADING", "ACTIVE_HEALTHY"],
  remove: ["GOING_DOWN", "REMOVED"],
} as const;
type Activity = keyof typeof paths;

interface Model {
  activity: Activity;
  /** The furthest state of the path that was seen. */
  position: number;
  size: string;
  /** How long ago the last change of an add-on was, in milliseconds of the clock; none so far at first. */
  sinceResize: number;
}

/** For so long a change of an add-on is processed, and another one refused (service, Defaults). */
const PROCESSING_MS = 125_000;

/** Longer than any activity but the time for which a removed ref is remembered. */
const LONG_MS = 200_000;

function observed({ control, ref }: Real): string {
  const code = statusOfCall(() => control.call("getProject", { ref }));
  if (code === 400 || code === 404) return "REMOVED";
  expect(code).toBe(200);
  return control.call("getProject", { ref }).status;
}

/** Sees where the project is: on its activity's path, and never further back than before. */
function look(model: Model, real: Real): string {
  const status = observed(real);
  const path: readonly string[] = paths[model.activity];
  expect(path).toContain(status);
  const position = path.indexOf(status);
  expect(position).toBeGreaterThanOrEqual(model.position);
  model.position = position;
  return status;
}

class Advance implements fc.Command<Model, Real> {
  constructor(readonly ms: number) {}
  check = () => true;
  run(model: Model, real: Real): void {
    real.control.advance(this.ms);
    model.sinceResize += this.ms;
    const status = look(model, real);
    if (this.ms >= LONG_MS) expect(status).toBe(paths[model.activity].at(-1));
  }
  toString = () => `advance ${this.ms} ms`;
}

/** An act, the states in which the service takes it, and the activity that it begins. */
class Act implements fc.Command<Model, Real> {
  constructor(
    readonly name: string,
    readonly begins: Activity | undefined,
    readonly takenIn: readonly string[],
    readonly act: (real: Real, model: Model) => unknown,
  ) {}
  check = () => true;
  run(model: Model, real: Real): void {
    const before = look(model, real);
    const activity = model.activity;
    const code = statusOfCall(() => this.act(real, model));
    const isTaken =
      this.takenIn.includes(before) || (before === "COMING_UP" && this.takenIn.includes(activity));
    expect({ before, act: this.name, taken: code === 200 }).toEqual({
      before,
      act: this.name,
      taken: isTaken,
    });
    if (code !== 200) expect([400, 404]).toContain(code);
    if (isTaken && this.begins !== undefined && before !== "GOING_DOWN") {
      model.activity = this.begins;
      model.position = 0;
    }
    look(model, real);
  }
  toString = () => this.name;
}

class Resize implements fc.Command<Model, Real> {
  constructor(readonly variant: "ci_small" | "ci_medium") {}
  check = () => true;
  run(model: Model, real: Real): void {
    const before = look(model, real);
    const { control, ref } = real;
    const body = { addon_type: "compute_instance", addon_variant: this.variant } as const;
    const code = statusOfCall(() => control.call("applyAddon", { ref, body }));
    const isProcessing = model.sinceResize < PROCESSING_MS;
    expect(code === 200).toBe(before === "ACTIVE_HEALTHY" && !isProcessing);
    if (isProcessing && before === "ACTIVE_HEALTHY") expect(code).toBe(429);
    if (code === 200 && model.size !== this.variant) {
      Object.assign(model, { activity: "resize", position: 0, size: this.variant, sinceResize: 0 });
      expect(look(model, real)).toBe("RESIZING");
    }
    if (code === 200) {
      const { selected_addons } = control.call("listAddons", { ref });
      expect(selected_addons.map(({ variant }) => variant.id)).toEqual([this.variant]);
    }
  }
  toString = () => `resize to ${this.variant}`;
}

/** A change of the configuration needs the database as well, which is healthy a while after the project. */
class Restart implements fc.Command<Model, Real> {
  check = () => true;
  run(model: Model, real: Real): void {
    const { control, ref } = real;
    const isActive = look(model, real) === "ACTIVE_HEALTHY";
    const isHealthy = isActive && control.call("getHealth", { ref, services: ["db"] })[0]?.healthy === true;
    const body = { restart_database: true };
    const code = statusOfCall(() => control.call("updatePostgresConfig", { ref, body }));
    expect(code === 200).toBe(isHealthy);
    if (!isHealthy) return;
    Object.assign(model, { activity: "restart", position: 0 });
    expect(look(model, real)).toBe("RESTARTING");
  }
  toString = () => "restart";
}

/** A paid plan takes no pause, the free one no resize (service, Compute size). */
function pauseOnFreePlan({ control, ref }: Real): void {
  control.set("organizations.acme.plan", "free");
  try {
    control.call("pauseProject", { ref });
  } finally {
    control.set("organizations.acme.plan", "pro");
  }
}

const commands = fc.commands(
  [
    fc.oneof(fc.constantFrom(0, 1_000, 5_000, LONG_MS), fc.nat(60_000)).map((ms) => new Advance(ms)),
    fc.constantFrom("ci_small" as const, "ci_medium" as const).map((variant) => new Resize(variant)),
    fc.constant(new Restart()),
    fc.constantFrom(
      new Act("pause", "pause", ["ACTIVE_HEALTHY"], pauseOnFreePlan),
      new Act("restore", "restore", ["INACTIVE"], ({ control, ref }) =>
        control.call("restoreProject", { ref }),
      ),
      new Act("cancel the restore", "cancelled", ["RESTORING", "restore"], ({ control, ref }) =>
        control.call("cancelRestore", { ref }),
      ),
      new Act(
        "rename",
        undefined,
        [
          "UNKNOWN",
          "COMING_UP",
          "ACTIVE_HEALTHY",
          "PAUSING",
          "INACTIVE",
          "RESTORING",
          "RESIZING",
          "RESTARTING",
        ].concat("UPGRADING", "GOING_DOWN"),
        ({ control, ref }) => control.call("updateProject", { ref, body: { name: "renamed" } }),
      ),
    ),
    fc.constant(
      new Act(
        "delete",
        "remove",
        ["COMING_UP", "ACTIVE_HEALTHY", "PAUSING", "INACTIVE", "RESTORING", "RESIZING", "RESTARTING"].concat(
          "GOING_DOWN",
        ),
        ({ control, ref }) => control.call("deleteProject", { ref }),
      ),
    ),
  ],
  { maxCommands: 25 },
);

beforeAll(startReal);
afterAll(stopReal);

describe("a project", () => {
  it("passes through its states in order, and takes an act only where the specification lets it", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(
          () => ({
            model: { activity: "create", position: 0, size: "", sinceResize: Infinity } satisfies Model,
            real: freshReal(),
          }),
          sequence,
        );
      }),
      { numRuns: 150 },
    );
  });
});

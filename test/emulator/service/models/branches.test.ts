import fc from "fast-check";
import { freshReal, startReal, statusOfCall, stopReal, type Real } from "./scene";

const HOUR_MS = 3_600_000;

interface BranchModel {
  readonly id: string;
  readonly ref: string;
  persistent: boolean;
  /** When it goes; undefined while no deletion is scheduled. */
  goesAt: number | undefined;
}

interface Model {
  now: number;
  hasDefault: boolean;
  /** By name. */
  readonly branches: Map<string, BranchModel>;
}

/** What is there by name, the default branch apart, beside what the model expects after the time that has passed. */
function compare(model: Model, { control, ref }: Real): void {
  for (const [name, { goesAt }] of model.branches) {
    if (goesAt !== undefined && goesAt <= model.now) model.branches.delete(name);
  }
  const listed = control.call("listBranches", { ref });
  expect(listed.filter((branch) => branch.is_default)).toHaveLength(model.hasDefault ? 1 : 0);
  const seen = listed
    .filter((branch) => !branch.is_default)
    .map((branch) => [branch.name, branch.persistent, branch.deletion_scheduled_at !== undefined]);
  const expected = [...model.branches].map(([name, { persistent, goesAt }]) => [
    name,
    persistent,
    goesAt !== undefined,
  ]);
  expect(seen).toEqual(expected);
}

abstract class BranchCommand implements fc.Command<Model, Real> {
  constructor(readonly name: string) {}
  check = () => true;
  run(model: Model, real: Real): void {
    this.act(model, real, model.branches.get(this.name));
    compare(model, real);
  }
  abstract act(model: Model, real: Real, branch: BranchModel | undefined): void;
  toString(): string {
    return `${this.constructor.name} ${this.name}`;
  }
}

class Create extends BranchCommand {
  act(model: Model, { control, ref }: Real, branch: BranchModel | undefined): void {
    const body = { branch_name: this.name };
    if (branch !== undefined) {
      expect(statusOfCall(() => control.call("createBranch", { ref, body }))).toBe(409);
      return;
    }
    const made = control.call("createBranch", { ref, body });
    expect(made.status).toBe("FUNCTIONS_DEPLOYED");
    model.branches.set(this.name, {
      id: made.id,
      ref: made.project_ref,
      persistent: false,
      goesAt: undefined,
    });
    // service, Branches: the first branch makes the default one as well.
    model.hasDefault = true;
  }
}

class Persist extends BranchCommand {
  constructor(
    name: string,
    readonly persistent: boolean,
  ) {
    super(name);
  }
  act(_model: Model, { control }: Real, branch: BranchModel | undefined): void {
    if (branch === undefined) return;
    control.call("updateBranch", { branch_id_or_ref: branch.id, body: { persistent: this.persistent } });
    branch.persistent = this.persistent;
  }
}

class Delete extends BranchCommand {
  constructor(
    name: string,
    readonly force: boolean | undefined,
  ) {
    super(name);
  }
  act(model: Model, { control }: Real, branch: BranchModel | undefined): void {
    if (branch === undefined) return;
    const parameters = {
      branch_id_or_ref: branch.ref,
      ...(this.force === undefined ? {} : { force: this.force }),
    };
    const code = statusOfCall(() => control.call("deleteBranch", parameters));
    expect(code).toBe(branch.persistent ? 422 : 200);
    if (code !== 200) return;
    if (this.force === false) branch.goesAt ??= model.now + HOUR_MS;
    else model.branches.delete(this.name);
  }
}

class Restore extends BranchCommand {
  act(_model: Model, { control }: Real, branch: BranchModel | undefined): void {
    if (branch === undefined) return;
    const code = statusOfCall(() => control.call("restoreBranch", { branch_id_or_ref: branch.id }));
    expect(code).toBe(branch.goesAt === undefined ? 400 : 200);
    branch.goesAt = undefined;
  }
}

class Advance extends BranchCommand {
  constructor(readonly ms: number) {
    super(`${ms} ms`);
  }
  act(model: Model, { control }: Real): void {
    control.advance(this.ms);
    model.now += this.ms;
  }
}

class SwitchOff extends BranchCommand {
  act(model: Model, { control, ref }: Real): void {
    control.call("disableBranching", { ref });
    model.branches.clear();
    model.hasDefault = false;
  }
}

const name = fc.constantFrom("one", "two", "three");
const commands = fc.commands(
  [
    name.map((of) => new Create(of)),
    fc.tuple(name, fc.boolean()).map(([of, persistent]) => new Persist(of, persistent)),
    fc
      .tuple(name, fc.constantFrom(true, false, false, undefined))
      .map(([of, force]) => new Delete(of, force)),
    name.map((of) => new Restore(of)),
    fc.oneof(fc.constantFrom(1_000, HOUR_MS - 1, HOUR_MS), fc.nat(HOUR_MS)).map((ms) => new Advance(ms)),
    fc.constant(new SwitchOff("all branches")),
  ],
  { maxCommands: 30 },
);

beforeAll(startReal);
afterAll(stopReal);

describe("the branches of a project", () => {
  it("come and go as asked: persistent ones stay, scheduled deletions wait for an hour and can be taken back", () => {
    fc.assert(
      fc.property(commands, (sequence) => {
        fc.modelRun(() => {
          const real = freshReal(120_000);
          return { model: { now: 0, hasDefault: false, branches: new Map() } satisfies Model, real };
        }, sequence);
      }),
      { numRuns: 150 },
    );
  });
});

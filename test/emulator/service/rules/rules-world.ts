import { RunningStatements } from "../../../../emulator/service/world/running-statements";
import { CallLog } from "../../../../emulator/service/world/call-log";
import { operator } from "../../../../emulator/service/access/caller";
import { MovableClock } from "../../../../emulator/service/world/clock";
import type { Exchange, Handler, Called } from "../../../../emulator/service/rules/shared/handler";
import { ruleHandlers } from "../../../../emulator/service/rules";
import {
  withNewerBodies,
  withoutNewerBodies,
} from "../../../../emulator/service/rules/newer/with-newer-fields";
import { validateParameters } from "../../../../emulator/service/server/validate";
import { createDatabases } from "../../../../emulator/postgres/databases/create-databases";
import { createState } from "../../../../emulator/service/create-state";
import type { BranchRecord, ProjectRecord, ServiceVersion } from "../../../../emulator/service/world/state";
import type { World } from "../../../../emulator/service/world/world";
import type { Operation, OperationParameters } from "../../../../spec/operation";
import { operations, type Operations } from "../../../../spec/table";
import { Refusal } from "../../../../emulator/service/answers/refusal";

type RuledOperation = keyof typeof ruleHandlers;

/** The rules on a clock of their own, with ids and refs that are counted up. */
export interface RulesWorld {
  readonly world: World;
  /** The log that rules see as `world.calls`: empty until a test adds to it. */
  readonly log: CallLog;
  /** Who makes the calls; a test may change it. */
  readonly caller: { identity: string; address: string };
  /** What a handler answers, compared with the operation table before and after. */
  call<N extends RuledOperation>(name: N, parameters: OperationParameters<Operations[N]>): Called<N>;
  /** As `call`, for an answer that is meant to differ from the table. */
  callUnchecked: RulesWorld["call"];
  /** Status and message with which a handler refuses. */
  refusal<N extends RuledOperation>(name: N, parameters: OperationParameters<Operations[N]>): string;
  /** The same for an operation that answers later. */
  lateRefusal<N extends RuledOperation>(
    name: N,
    parameters: OperationParameters<Operations[N]>,
  ): Promise<string>;
  advance(seconds: number): void;
  /** The ref of a project that was just asked for, by `acme`, which pays, or by `hobby`, which does not. */
  newProject(name?: string, organization?: "acme" | "hobby"): string;
  /** The ref of a project that is ACTIVE_HEALTHY with all its services. */
  healthyProject(name?: string, organization?: "acme" | "hobby"): string;
  projectRecord(ref: string): ProjectRecord;
  branchRecord(id: string): BranchRecord;
  /** Ends the databases; needed once one was used. */
  close(): Promise<void>;
}

const newerOperations = withNewerBodies(operations);
const olderOperations = withoutNewerBodies(operations);

export const START = Date.UTC(2026, 0, 1);

export function createRulesWorld(
  options: { readonly pace?: number; readonly service?: ServiceVersion } = {},
): RulesWorld {
  const clock = new MovableClock({ now: () => START });
  const state = createState({
    ...(options.service !== undefined && { service: options.service }),
    organizations: [
      { slug: "acme", name: "Acme" },
      { slug: "hobby", name: "Hobby", plan: "free" },
    ],
    ...(options.service !== undefined && { service: options.service }),
  });
  const log = new CallLog();
  const caller = { ...operator };
  let ids = 0;
  let refs = 0;
  const world: World = {
    state,
    clock,
    calls: log,
    databases: createDatabases(),
    statements: new RunningStatements(clock),
    addresses: undefined,
    issued: { keyPrefix: "svc", jwtIssuer: "svc" },
    pace: options.pace ?? 1,
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`,
    newRef: () =>
      String((refs += 1))
        .padStart(20, "0")
        .replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? ""),
  };

  function callUnchecked<N extends RuledOperation>(
    name: N,
    parameters: OperationParameters<Operations[N]>,
  ): Called<N> {
    // Path and query fields and a body: always an object, whatever the operation.
    const operation = (world.state.newer ? newerOperations : olderOperations)[name] ?? operations[name];
    const input = validateParameters(operation, parameters as Readonly<Record<string, unknown>>);
    // The schemas of this very operation have parsed what its own handler is given.
    const handler = ruleHandlers[name] as unknown as Handler<Operation>;
    return handler({ ...input, world, caller } as Exchange<Operation>) as Called<N>;
  }

  function call<N extends RuledOperation>(
    name: N,
    parameters: OperationParameters<Operations[N]>,
  ): Called<N> {
    const answer = callUnchecked(name, parameters);
    const { schema } = operations[name].success;
    if (answer instanceof Promise) return answer.then((late) => (schema.parse(late), late)) as Called<N>;
    schema.parse(answer);
    return answer;
  }

  function newProject(name = "shop", organization: "acme" | "hobby" = "acme"): string {
    const body = { name, organization_slug: organization, db_pass: "a-password" };
    return call("createProject", { body }).ref;
  }

  return {
    world,
    log,
    caller,
    call,
    callUnchecked,
    refusal(name, parameters) {
      try {
        void call(name, parameters);
      } catch (error) {
        return textOfRefusal(error);
      }
      throw new Error(`${name} was not refused`);
    },
    async lateRefusal(name, parameters) {
      try {
        await call(name, parameters);
      } catch (error) {
        return textOfRefusal(error);
      }
      throw new Error(`${name} was not refused`);
    },
    advance: (seconds) => clock.advance(seconds * 1_000),
    newProject,
    healthyProject(name, organization) {
      const ref = newProject(name, organization);
      clock.advance(120_000);
      return ref;
    },
    projectRecord: (ref) => found(state.projects.get(ref)),
    branchRecord: (id) => found(state.branches.get(id)),
    close: () => world.databases.close(),
  };
}

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is no such record");
  return value;
}

function textOfRefusal(error: unknown): string {
  if (error instanceof Refusal) return `${error.status} ${error.message}`;
  throw error;
}

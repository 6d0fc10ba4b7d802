import type { OperationParameters } from "../../../spec/operation";
import type { OperationName, Operations } from "../../../spec/table";
import { operator } from "../../service/access/caller";
import type { OwnedWorld } from "../../service/world/create-world";
import { createOAuthApp } from "../../service/rules/oauth/oauth-apps";
import { showExchange } from "../exchanges/show-exchange";
import { overviewOf } from "../page/overview";
import { readProjectContents } from "../page/project-contents";
import { approve, deny, pendingRequests } from "../../service/rules/oauth/oauth-consent";
import { invokeFunction } from "../../service/rules/functions/function-invocations";
import { failLogins } from "../../service/rules/network/network-bans";
import { projectAt } from "../../service/rules/shared/project-at";
import { signToken } from "../../service/rules/auth/json-web-tokens";
import { createSnippet } from "../../service/rules/database/snippets";
import { execute } from "../../service/server/execute";
import type { Service } from "../../service/server/service";
import { validateParameters } from "../../service/server/validate";
import { issueToken, revokeAccessToken } from "../../service/access/tokens";
import type { Control } from "./control";
import { editState } from "./edit";
import { toPlain } from "./snapshot";
import { keysOf, removeAtPath, requirePlace, setAtPath } from "./state-path";
import { shapedFor } from "./state-shape";
import { Refusal } from "../../service/answers/refusal";
import type { Called } from "../../service/rules/shared/handler";
import type { EmulatorClock } from "../../service/world/clock";

export interface Controlled {
  readonly service: Service;
  readonly owned: OwnedWorld;
  readonly clock: EmulatorClock;
  /** Does with a new state what the start did with its own. */
  readonly begin: () => void;
  readonly exportWorld: (file: string) => Promise<void>;
}

/** The control over one emulator. */
export function createControl({ service, owned, clock, begin, exportWorld }: Controlled): Control {
  const { log, exchanges, faults, limits, internalErrors, world } = service;
  return {
    calls: (filter) => log.listAll(filter),
    countCalls: (filter) => log.listAll(filter).length,
    clearCalls() {
      log.clear();
      exchanges.clear();
    },
    exchange(sequence) {
      const kept = exchanges.get(sequence);
      return kept && showExchange(kept, world.state);
    },

    addFault: (rule) => faults.add(rule),
    pendingFaults: () => faults.list(),
    clearFaults: () => faults.clear(),

    call: (name, parameters) => callAsOperator(service, name, parameters),
    edit: (change) => editState(world.state, change),
    set: (path, value, options) =>
      editState(world.state, (state) => {
        requirePlace(state, path, options?.create);
        setAtPath(state, path, shapedFor(keysOf(path), value), options?.create);
      }),
    remove: (path) => editState(world.state, (state) => removeAtPath(state, path)),
    overview: (since = 0) => overviewOf(world, log, faults, since),
    projectContents: (ref) => readProjectContents(world, ref),
    snapshot: () => toPlain(world.state),
    exportWorld,

    failLogins: (ref, logins) => failLogins(world, ref, logins),
    signToken: (ref, claims = {}) => signToken(world, projectAt(world, ref), claims),

    invokeFunction: (ref, invocations) => invokeFunction(world, ref, invocations),
    createSnippet: (seed) => createSnippet(world, seed),
    advance(ms) {
      if (clock.advance === undefined)
        throw new Refusal(400, "This emulator runs on a clock that cannot be moved");
      clock.advance(ms);
    },
    setPace: (pace) => owned.setPace(pace),
    reset() {
      owned.resetState();
      log.clear();
      exchanges.clear();
      faults.clear();
      limits.clear();
      internalErrors.length = 0;
      begin();
    },

    createToken: (seed) => issueToken(world.state, seed),
    revokeToken(token) {
      if (!revokeAccessToken(world.state, token)) throw new Refusal(400, "No such access token");
    },
    createOAuthApp: (app) => createOAuthApp(world, app),
    authorizationRequests: () => pendingRequests(world),
    approveAuthorization: (approval = {}) => approve(world, approval),
    denyAuthorization: (choice = {}) => deny(world, choice),

    internalErrors,
  };
}

function callAsOperator<N extends OperationName>(
  service: Service,
  name: N,
  parameters: OperationParameters<Operations[N]>,
): Called<N> {
  const operation = service.operations[name];
  if (operation === undefined) throw new Refusal(400, `No operation is called ${name}`);
  // Path and query fields and a body: always an object, whatever the operation.
  const input = validateParameters(operation, parameters as Readonly<Record<string, unknown>>);
  // The handler of this very name answers, with the type that the table gives it.
  return execute(service, { name, operation }, input, operator) as Called<N>;
}

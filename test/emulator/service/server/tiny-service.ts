import type { Operation } from "../../../../spec/operation";
import { operations, type OperationName } from "../../../../spec/table";
import { MovableClock } from "../../../../emulator";
import type { Emulator, EmulatorOptions } from "../../../../emulator";
import type { Handler, Handlers } from "../../../../emulator/service/rules/shared/handler";
import { oauthHandlers } from "../../../../emulator/service/rules/oauth/oauth";
import { startServing } from "../../../../emulator/desk/start-emulator";
import type { Served } from "../../../../emulator/service/create-service";

export const ref = "abcdefghijklmnopqrst";
export const otherRef = "bcdefghijklmnopqrsta";

/** What the handlers of the tiny service were given, in order: proof of what was done and what was not. */
export type Ledger = { readonly operation: OperationName; readonly input: unknown }[];

interface Sent extends RequestInit {
  readonly headers?: Record<string, string>;
}

export interface TinyService {
  readonly emulator: Emulator;
  readonly clock: MovableClock;
  readonly ledger: Ledger;
  /** Sends one request with the seeded token, unless `headers` says otherwise. */
  send(method: string, path: string, init?: Sent): Promise<Response>;
  sendJson(method: string, path: string, body: unknown): Promise<Response>;
}

const project = {
  id: ref,
  ref,
  organization_id: "acme",
  organization_slug: "acme",
  name: "shop",
  region: "eu-west-1",
  created_at: "2026-01-01T00:00:00Z",
  status: "ACTIVE_HEALTHY" as const,
  database: { host: "db", version: "17.4", postgres_engine: "17", release_channel: "ga" },
};
const deployed = { id: "f", slug: "greet", name: "greet", status: "ACTIVE" as const, version: 1 };

const answersOf: Partial<{ [N in OperationName]: ReturnType<Handlers[N]> }> = {
  listProjects: [project],
  getProject: project,
  createProject: project,
  updateProject: { id: 1, ref, name: "shop" },
  getHealth: [],
  listOrganizations: [],
  getOrganization: { id: "acme", name: "Acme", opt_in_tags: [], allowed_release_channels: [] },
  createSecrets: undefined,
  deleteSecrets: undefined,
  deployFunction: deployed,
  updateFunctions: { functions: [] },
  deleteBranch: { message: "ok" },
  getActionRunLogs: "first line\nsecond line",
  removeCustomHostname: undefined,
  getApiKey: { name: "deploy" },
  listBranches: [],
  getBranch: {
    id: "2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1",
    name: "feature/cart",
    project_ref: otherRef,
    parent_project_ref: ref,
    is_default: false,
    persistent: false,
    status: "MIGRATIONS_PASSED",
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
    with_data: false,
  },
};

/** The generic stages around handlers that do nothing but keep a ledger, so that no business rule is involved. */
export async function startTinyService(
  options: EmulatorOptions = {},
  changed: Partial<{
    readonly operations: Partial<Record<OperationName, Operation>>;
    readonly handlers: Partial<Record<OperationName, Handler<Operation>>>;
  }> = {},
): Promise<TinyService> {
  const clock = new MovableClock({ now: () => Date.UTC(2026, 0, 1) });
  const ledger: Ledger = [];
  const handlers: Partial<Record<OperationName, Handler<Operation>>> = {};
  // The keys of the answers are operation names, which `Object.entries` widens to string.
  for (const [operation, answer] of Object.entries(answersOf) as [OperationName, unknown][]) {
    handlers[operation] = ({ params, query, body }) => {
      ledger.push({ operation, input: { params, query, body } });
      return answer;
    };
  }
  const served: Served = {
    operations: { ...operations, ...changed.operations },
    handlers: { ...handlers, ...oauthHandlers, ...changed.handlers },
  };
  const emulator = await startServing({ clock, ...options }, served);
  const send = (method: string, path: string, init: Sent = {}): Promise<Response> =>
    fetch(`${emulator.url}${path}`, {
      method,
      ...init,
      headers: { authorization: `Bearer ${emulator.accessToken}`, ...init.headers },
    });
  return {
    emulator,
    clock,
    ledger,
    send,
    sendJson: (method, path, body) =>
      send(method, path, { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  };
}

/** The `x-ratelimit-*` headers as numbers. */
export function limitsOf(response: Response): { limit: number; remaining: number; reset: number } {
  const read = (name: string): number => Number(response.headers.get(`x-ratelimit-${name}`) ?? NaN);
  return { limit: read("limit"), remaining: read("remaining"), reset: read("reset") };
}

/** A text that contains `part`; jest's own matcher has no type. */
export function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

/** A text that matches `pattern`; jest's own matcher has no type. */
export function textLike(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

import type { Emulator, MovableClock } from "../../../../emulator";
import { Refusal } from "../../../../emulator";
import { operations, type OperationName } from "../../../../spec/table";
import { databaseOperations } from "../../../../tools/fuzz/operations/database-operations";
import type { Scene } from "../../../../tools/fuzz/operations/sample";
import { samples } from "../../../../tools/fuzz/operations/samples";
import { valuesOf, wireRequest, type WireRequest } from "../../../../tools/fuzz/operations/wire-request";

// The keys of the table are its operation names, which `Object.keys` widens to string.
const names = Object.keys(operations) as OperationName[];
/** Some GETs change something: they are further calls. */
const issuing: readonly OperationName[] = ["authorize", "authorizeProjectClaim"];
const isRead = (name: OperationName): boolean =>
  ["GET", "HEAD"].includes(operations[name].method) && !issuing.includes(name);

export const reads = names.filter(isRead);
export const writes = names.filter((name) => !isRead(name));

export interface NamedRequest extends WireRequest {
  readonly name: OperationName;
}

/** More than one user may send in a minute. */
const CALLS_A_USER = 40;

/**
 * A world in which each of the operations has what its call needs, in a project of its own; those that reach a database share
 * one, as each takes long to start. The calls themselves are returned.
 */
export async function growWorld(
  emulator: Emulator,
  clock: MovableClock,
  wanted: readonly OperationName[],
): Promise<NamedRequest[]> {
  const { control } = emulator;
  const newScene = (name: string): Scene => {
    // Some operations want another plan, which lasts.
    control.set("organizations.acme.plan", "pro");
    const body = { name, organization_slug: "acme", db_pass: `password-of-${name}` };
    const { ref } = control.call("createProject", { body });
    control.advance(120_000);
    return { emulator, control, clock, ref };
  };
  const shared = newScene("shared");
  const requests: NamedRequest[] = [];
  for (const name of wanted) {
    const scene = name in databaseOperations ? shared : newScene(name.toLowerCase());
    const parameters = await preparedBy(() => samples[name](scene));
    if (parameters === undefined) continue;
    requests.push({ name, ...wireRequest(operations[name], valuesOf(operations[name], parameters)) });
  }
  return requests;
}

/** What other operations did to the organization or the shared project may stand in the way of some. */
async function preparedBy(prepare: () => unknown): Promise<unknown> {
  try {
    return await prepare();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

export interface Answered {
  readonly name: OperationName;
  readonly status: number;
  readonly contentType: string | null;
  readonly location: string | null;
  readonly text: string;
}

/** The answers to the calls, one after the other. */
export async function answersTo(
  { url }: Pick<Emulator, "url">,
  requests: readonly NamedRequest[],
  tokens: readonly string[],
): Promise<Answered[]> {
  const answers: Answered[] = [];
  for (const [index, { name, method, path, headers, body }] of requests.entries()) {
    const token = tokens[Math.floor(index / CALLS_A_USER)] ?? "";
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: body ?? null,
      redirect: "manual",
    });
    answers.push({
      name,
      status: answer.status,
      contentType: answer.headers.get("content-type")?.replace(/boundary=.*/, "") ?? null,
      location: answer.headers.get("location"),
      text: Buffer.from(await answer.arrayBuffer()).toString("latin1"),
    });
  }
  return answers;
}

/** Tokens for so many calls, each of another user. */
export function tokensFor({ control }: Emulator, calls: number): string[] {
  return Array.from({ length: Math.ceil(calls / CALLS_A_USER) }, (_, index) =>
    control.createToken({ user: `reader-${index}` }),
  );
}

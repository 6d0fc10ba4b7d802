import { InvalidInputError, TimeoutError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll } from "../../../waiting/poll";
import { retryWhileTooSoon } from "../shared/signing-key-pace";
import { listSigningKeysNow, type SigningKeyRecord } from "../shared/signing-keys";
import { setStatus, type RequestedKeyStatus } from "./calls";
import { problems } from "./problems";
import { formatCodeList } from "../../../define/format-code-list";

/** What each state can be set to (service, Signing keys); only another key that comes into use takes a key out of it. */
const moves: Readonly<Record<string, readonly RequestedKeyStatus[]>> = {
  standby: ["in_use", "revoked"],
  in_use: [],
  previously_used: ["standby", "revoked"],
  revoked: ["standby"],
};

/** How long another resource of the same run may take to make room. */
const MAKING_ROOM_MS = 60_000;

/** The statuses to go through from one to another, the last being the wanted one; undefined when there is no way. */
export function findPath(
  from: string,
  wanted: RequestedKeyStatus,
): readonly RequestedKeyStatus[] | undefined {
  const paths: (readonly RequestedKeyStatus[])[] = [[]];
  const seen = new Set([from]);
  for (const path of paths) {
    const at = path.at(-1) ?? from;
    if (at === wanted) return path;
    for (const next of moves[at] ?? []) {
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/** Moves the key, over other states where there is no direct way, until it has the wanted status. */
export async function moveToStatus(
  ctx: Context,
  ref: string,
  id: string,
  wanted: RequestedKeyStatus,
): Promise<SigningKeyRecord> {
  for (;;) {
    const { key, keys } = await waitForRoom(ctx, ref, id, wanted);
    const next = findPath(key.status ?? "", wanted)?.[0];
    if (next === undefined) return key;
    const step = `signing key ${id} to become ${next}`;
    await retryWhileTooSoon(ctx, step, keys, () => setStatus(ctx, ref, id, next));
  }
}

interface MovableKey {
  readonly key: SigningKeyRecord;
  readonly keys: readonly SigningKeyRecord[];
}

/** The key, and all of the project, as soon as nothing stands in the way of its next move. */
async function waitForRoom(
  ctx: Context,
  ref: string,
  id: string,
  wanted: RequestedKeyStatus,
): Promise<MovableKey> {
  const deadlineMs = Math.min(ctx.deadlineMs, ctx.clock.now() + MAKING_ROOM_MS);
  let obstacle = "";
  try {
    return await poll<SigningKeyRecord[], MovableKey>(
      { ...ctx, deadlineMs },
      {
        what: `a free slot for signing key ${id} to become ${wanted}`,
        look: () => listSigningKeysNow(ctx, ref),
        judge: (keys) => {
          const key = keys.find((each) => each.id === id);
          if (key === undefined) return { kind: "failed", error: createGoneError(id) };
          const others = keys.filter((each) => each.id !== id);
          obstacle = findObstacle(key, wanted, others) ?? "";
          if (obstacle === "") return { kind: "done", value: { key, keys } };
          const isLasting = findPath(key.status ?? "", wanted) === undefined && key.status !== "in_use";
          return isLasting
            ? { kind: "failed", error: createImpossibleError(obstacle) }
            : { kind: "waiting", reason: obstacle };
        },
      },
    );
  } catch (error) {
    if (error instanceof TimeoutError && obstacle !== "") throw createImpossibleError(obstacle);
    throw error;
  }
}

function findObstacle(
  { id, status }: SigningKeyRecord,
  wanted: RequestedKeyStatus,
  others: readonly SigningKeyRecord[],
): string | undefined {
  const path = findPath(status ?? "", wanted);
  if (path === undefined) {
    if (status === "in_use") return problems.staysInUse.message({ id, wanted });
    const possible = moves[status ?? ""] ?? [];
    const said = `The signing key ${id} is ${status ?? "in an unknown state"} and cannot be set to ${wanted}`;
    return possible.length > 0 ? `${said}; possible: ${formatCodeList(possible)}.` : `${said}.`;
  }
  const standby = others.find((each) => each.status === "standby");
  if (path[0] !== "standby" || standby === undefined) return undefined;
  return `The signing key ${id} cannot become standby, because ${standby.id} already is and a project has only one standby key. Set that key to \`in_use\` or \`revoked\` first.`;
}

function createImpossibleError(obstacle: string): InvalidInputError {
  return new InvalidInputError("status", obstacle);
}

function createGoneError(id: string): Error {
  return new Error(`The signing key ${id} no longer exists. Run \`pulumi refresh\`, then \`pulumi up\`.`);
}

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../client/clock";
import type { Candidate } from "../define/resource";

const entrySchema = z.object({
  /** Which resource of which program began the create. */
  owner: z.string(),
  type: z.string(),
  baseUrl: z.string(),
  processId: z.int(),
  /** When the create was sent, in milliseconds since the epoch. */
  startedAtMs: z.number(),
  /** Objects that bore the declared identity before the create was sent: none of them is ours. */
  knownIds: z.array(z.string()),
  /** The new object, once the service has answered. */
  id: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

/** How far the service's clock and this machine's may be apart, a slow create included. */
const CLOCKS_APART_MS = 10 * 60_000;

export type CreateIdentity = Pick<Entry, "owner" | "type" | "baseUrl">;

/** A create that has begun. It is closed when its outcome is in the engine's hands. */
export interface OpenCreate {
  made(id: string): void;
  close(): void;
}

/**
 * Creates that have begun and whose outcome has not reached Pulumi's state, in files of the user's state folder. What a
 * killed process leaves here proves which object an interrupted run began. Holds names and ids, never secrets.
 */
export interface Journal {
  begin(identity: CreateIdentity, knownIds: readonly string[]): OpenCreate;
  /** Those of the present objects that an interrupted create of the same resource made. */
  interrupted(identity: CreateIdentity, present: readonly Candidate[]): Candidate[];
  /** Forgets the interrupted creates of this resource, once their object is taken over. */
  settle(identity: CreateIdentity): void;
}

/** The folder for state that outlives a run: `XDG_STATE_HOME`, else the platform's own. */
export function stateFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: string = process.platform,
): string {
  if (env["XDG_STATE_HOME"]) return join(env["XDG_STATE_HOME"], "pulumi-management");
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? homedir(), "pulumi-management", "state");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "pulumi-management");
  return join(homedir(), ".local", "state", "pulumi-management");
}

export function createJournal(
  folder: string,
  clock: Pick<Clock, "now">,
  warn: (message: string) => void,
): Journal {
  const directory = join(folder, "creates");
  const files = new Map<string, Entry>();
  let isUsable = true;

  const guarded = <T>(work: () => T, otherwise: T): T => {
    if (!isUsable) return otherwise;
    try {
      return work();
    } catch (error) {
      isUsable = false;
      warn(
        `The journal of creates in ${directory} cannot be used (${String(error)}): a run that is killed while it creates ` +
          "may have to be resumed by hand, with `adopt`.",
      );
      return otherwise;
    }
  };

  const write = (file: string, entry: Entry): void =>
    guarded(() => {
      mkdirSync(directory, { recursive: true });
      // A kill in the middle must leave the entry as it was: a half-written one proves nothing.
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, JSON.stringify(entry), { mode: 0o600 });
      renameSync(fresh, file);
      files.set(file, entry);
    }, undefined);

  const left = (identity: CreateIdentity): { file: string; entry: Entry }[] =>
    guarded(() => {
      mkdirSync(directory, { recursive: true });
      return readdirSync(directory)
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(directory, name))
        .filter((file) => !files.has(file))
        .flatMap((file) => {
          const entry = readEntry(file);
          return entry !== undefined && isSame(entry, identity) && !isAlive(entry.processId)
            ? [{ file, entry }]
            : [];
        });
    }, []);

  return {
    begin(identity, knownIds) {
      const file = join(directory, `${randomUUID()}.json`);
      const entry: Entry = {
        ...identity,
        processId: process.pid,
        startedAtMs: clock.now(),
        knownIds: [...knownIds],
      };
      write(file, entry);
      return {
        made: (id) => write(file, { ...entry, id }),
        close: () => {
          files.delete(file);
          guarded(() => rmSync(file, { force: true }), undefined);
        },
      };
    },
    interrupted(identity, present) {
      const entries = left(identity).map(({ entry }) => entry);
      return present.filter((candidate) => entries.some((entry) => isMadeBy(entry, candidate)));
    },
    settle(identity) {
      for (const { file } of left(identity)) guarded(() => rmSync(file, { force: true }), undefined);
    },
  };
}

function isSame(entry: Entry, { owner, type, baseUrl }: CreateIdentity): boolean {
  return entry.owner === owner && entry.type === type && entry.baseUrl === baseUrl;
}

/** Without an answer on record: what was not there before and was made about when the create was sent. */
function isMadeBy(entry: Entry, { id, createdAt }: Candidate): boolean {
  if (entry.id !== undefined) return entry.id === id;
  if (entry.knownIds.includes(id)) return false;
  const createdAtMs = createdAt === undefined ? Number.NaN : Date.parse(createdAt);
  return Number.isNaN(createdAtMs) || Math.abs(createdAtMs - entry.startedAtMs) <= CLOCKS_APART_MS;
}

/** An unreadable or half-written entry proves nothing. */
function readEntry(file: string): Entry | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return !hasEnded(processId);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** A killed process answers signals until its parent has collected it, which some containers never do. */
function hasEnded(processId: number): boolean {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}

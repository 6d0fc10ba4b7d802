import { errorMessage, type Frame, message, textsIn } from "./messages";

/** What the database is given at once. */
export interface MessageGroup {
  readonly bytes: Buffer;
  /** The statements that it runs. */
  readonly sql: readonly string[];
  /** Whether rows for a COPY are in it: the client was told to send them before the database was asked. */
  readonly hasCopiedRows: boolean;
}

interface Prepared {
  readonly parse: Frame;
  readonly sql: string;
}

/** Collects messages until the client waits for their answer. */
export class MessageGroups {
  private frames: Frame[] = [];
  private sql: string[] = [];
  private isCopying = false;
  /** Messages after a mistake that the database must not see, until the client has noticed. */
  private isSkipping = false;
  /** Statements that the client has prepared, as it sent them; the empty name is that of the one without. */
  private readonly prepared = new Map<string, Prepared>();
  /** Those in the messages that are being collected. */
  private readonly begun = new Map<string, Prepared>();

  /** `reply` sends what must not wait for the database. */
  constructor(private readonly reply: (bytes: Buffer) => void) {}

  /** A group that this message completes. */
  add(frame: Frame): MessageGroup | undefined {
    if (this.isSkipping && frame.type !== "S") return undefined;
    if (this.isCopying) return this.addToCopy(frame);
    switch (frame.type) {
      case "Q": {
        const [sql = ""] = textsIn(frame.body);
        this.push(frame, sql);
        this.forget("");
        if (!copiesFromClient(sql)) return this.complete();
        // The embedded database cannot wait for a client: it is given the statement with the rows.
        this.isCopying = true;
        this.reply(message("G", Buffer.from([/\bbinary\b/i.test(sql) ? 1 : 0, 0, 0])));
        return undefined;
      }
      case "P": {
        const [name = "", sql = ""] = textsIn(frame.body);
        if (copiesFromClient(sql)) {
          this.skip();
          return undefined;
        }
        this.push(frame, sql);
        this.begun.set(name, { parse: frame, sql });
        return undefined;
      }
      case "B": {
        const [, statement = ""] = textsIn(frame.body);
        this.push(frame, (this.begun.get(statement) ?? this.prepared.get(statement))?.sql);
        return undefined;
      }
      case "C": {
        const text = frame.body.toString("utf8", 1, frame.body.length - 1);
        if (frame.body[0] === "S".charCodeAt(0)) this.forget(text);
        this.push(frame);
        return undefined;
      }
      case "S":
        this.isSkipping = false;
        this.push(frame);
        return this.complete();
      case "H":
      case "F":
        this.push(frame);
        return this.complete();
      case "D":
      case "E":
        this.push(frame);
        return undefined;
      default:
        // What belongs to a COPY that has failed.
        return undefined;
    }
  }

  /** What prepares again what the database has under `names`, and the statement without a name, which no catalog lists. */
  keepPrepared(names: ReadonlySet<string>): Frame[] {
    for (const name of this.prepared.keys()) if (name !== "" && !names.has(name)) this.prepared.delete(name);
    // Whatever prepares another would replace the one without a name, so that it goes last.
    const byName = [...this.prepared].sort(([left], [right]) => Number(left === "") - Number(right === ""));
    return byName.map(([, { parse }]) => parse);
  }

  private forget(name: string): void {
    this.begun.delete(name);
    this.prepared.delete(name);
  }

  private addToCopy(frame: Frame): MessageGroup | undefined {
    if (!["d", "c", "f"].includes(frame.type)) return undefined;
    this.push(frame);
    if (frame.type === "d") return undefined;
    this.isCopying = false;
    return this.complete(true);
  }

  private skip(): void {
    this.isSkipping = true;
    this.frames = [];
    this.sql = [];
    this.begun.clear();
    const reason = "the emulator runs COPY … FROM STDIN only as a simple query";
    this.reply(errorMessage("0A000", reason));
  }

  private push(frame: Frame, sql?: string): void {
    this.frames.push(frame);
    if (sql !== undefined) this.sql.push(sql);
  }

  private complete(hasCopiedRows = false): MessageGroup {
    const group = {
      bytes: Buffer.concat(this.frames.map(({ bytes }) => bytes)),
      sql: this.sql,
      hasCopiedRows,
    };
    this.frames = [];
    this.sql = [];
    for (const [name, prepared] of this.begun) this.prepared.set(name, prepared);
    this.begun.clear();
    return group;
  }
}

/** Whether a statement takes rows of the client: at its beginning, after comments, it is read once. */
export function copiesFromClient(sql: string): boolean {
  COPY_FROM_CLIENT.lastIndex = endOfComments(sql);
  return COPY_FROM_CLIENT.test(sql);
}

const COPY_FROM_CLIENT = /copy\b[^;]*\bfrom\s+stdin\b/iy;

/** Where blanks and comments at the beginning of a statement end; comments between `/*` and its end hold others. */
function endOfComments(sql: string): number {
  let at = 0;
  for (;;) {
    BLANKS.lastIndex = at;
    BLANKS.test(sql);
    at = BLANKS.lastIndex;
    if (sql.startsWith("--", at)) {
      const end = sql.indexOf("\n", at);
      if (end === -1) return sql.length;
      at = end + 1;
    } else if (sql.startsWith("/*", at)) at = endOfComment(sql, at);
    else return at;
  }
}

const BLANKS = /\s*/y;

function endOfComment(sql: string, from: number): number {
  let depth = 0;
  for (let at = from; at < sql.length; at += 1) {
    const isBegin = sql.startsWith("/*", at);
    if (!isBegin && !sql.startsWith("*/", at)) continue;
    depth += isBegin ? 1 : -1;
    at += 1;
    if (depth === 0) return at + 1;
  }
  return sql.length;
}

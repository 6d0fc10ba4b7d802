import { randomInt } from "node:crypto";
import type { Socket } from "node:net";
import { inProjectDatabase } from "../../service/rules/shared/database/project-database";
import { DatabaseError } from "../../postgres/sql/database-error";
import type { Database } from "../../postgres/databases/databases";
import type { World } from "../../service/world/world";
import { type MessageGroup, MessageGroups } from "./message-group";
import { MessageStream } from "./message-stream";
import { errorMessage, fatalMessage, type Frame, framesIn, int32, message, textsIn } from "./messages";
import { equal, isPasswordOf } from "./passwords";
import { beginSession, greeting, resumeSession, saveSession, type SessionState, setAtLogin } from "./session";
import { Refusal } from "../../service/answers/refusal";

/** Numbers of the packets that begin a connection. */
const [PROTOCOL_3, CANCEL, SSL, GSS] = [3 << 16, 80_877_102, 80_877_103, 80_877_104];

/** How often one who has the database and does nothing looks whether others wait for it. */
const LOOK_MS = 20;
/** How long one may do nothing in a transaction while others wait: as long as a statement may run. */
const IDLE_IN_TRANSACTION_MS = 20_000;

/** Ends a connection, with what the client is told. */
class Fatal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface ConnectionOptions {
  readonly world: World;
  /** The ref of the database that is meant, and the role; a text says why none is. */
  readonly route: (user: string) => { readonly ref: string; readonly role: string } | string;
}

/** Serves one client until it leaves. */
export async function serveClient(socket: Socket, options: ConnectionOptions): Promise<void> {
  try {
    await new ClientConnection(socket, options).run();
  } catch (error) {
    const { code, text } = fatalOf(error);
    if (!socket.destroyed) socket.write(fatalMessage(code, text));
  } finally {
    socket.end();
  }
}

function fatalOf(error: unknown): { readonly code: string; readonly text: string } {
  if (error instanceof Fatal) return { code: error.code, text: error.message };
  if (error instanceof DatabaseError) return { code: error.fault.code, text: error.fault.message };
  // The project is paused, or on its way up or down.
  if (error instanceof Refusal) return { code: "57P03", text: error.message };
  return { code: "57P01", text: error instanceof Error ? error.message : String(error) };
}

/**
 * One client of a database that has a single session. The client has the database while it is at work and as long as nobody
 * else wants it; between its transactions it makes room, and finds its session again as it left it.
 */
class ClientConnection {
  private readonly stream: MessageStream;
  private readonly groups: MessageGroups;
  /** `I` outside of a transaction; undefined in the middle of a pipeline. */
  private transaction: string | undefined = "I";
  private saved: SessionState | undefined;
  /** What prepares the client's statements again. */
  private prepared: readonly Frame[] = [];
  private ref = "";
  private role = "";

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
  ) {
    this.stream = new MessageStream(socket);
    this.groups = new MessageGroups((bytes) => socket.write(bytes));
  }

  async run(): Promise<void> {
    const parameters = await this.readStartup();
    if (parameters === undefined) return;
    const settings = settingsIn(parameters);
    const route = this.options.route(parameters.get("user") ?? "");
    if (typeof route === "string") throw new Fatal("28000", route);
    Object.assign(this, route);
    this.socket.write(message("R", int32(3)));
    const password = await this.readPassword();
    if (password === undefined) return;
    await this.withDatabase(async (database) => {
      await this.logIn(database, password);
      this.stream.endLogin();
      await beginSession(database, this.role);
      await setAtLogin(database, settings);
      this.socket.write(await greeting(database, { pid: randomInt(1, 2 ** 31), key: randomInt(2 ** 31) }));
      return this.serve(database);
    });
    for (let group = await this.nextGroup(); group !== undefined; group = await this.nextGroup()) {
      const first = group;
      await this.withDatabase(async (database) => {
        await beginSession(database, this.role);
        if (this.saved !== undefined) await resumeSession(database, this.saved, this.prepared);
        await this.send(database, first);
        return this.serve(database);
      });
    }
  }

  /** The parameters of the connection; undefined for one that is over, or is for nothing but to cancel another. */
  private async readStartup(): Promise<ReadonlyMap<string, string> | undefined> {
    for (;;) {
      await this.stream.wait();
      const packet = this.stream.take();
      if (packet === undefined) return undefined;
      const version = packet.body.readInt32BE(0);
      if (version === SSL || version === GSS) {
        this.socket.write("N");
        this.stream.takeNext();
        continue;
      }
      if (version === CANCEL) return undefined;
      if (version >> 16 !== PROTOCOL_3 >> 16) throw new Fatal("0A000", "unsupported frontend protocol");
      const texts = textsIn(packet.body.subarray(4));
      const parameters = new Map<string, string>();
      for (let at = 0; at + 1 < texts.length; at += 2) parameters.set(texts[at] ?? "", texts[at + 1] ?? "");
      const unknown = [...parameters.keys()].filter((name) => name.startsWith("_pq_."));
      if (version !== PROTOCOL_3 || unknown.length > 0) {
        this.socket.write(message("v", int32(PROTOCOL_3), int32(unknown.length), ...unknown));
      }
      this.stream.endStartup();
      return parameters;
    }
  }

  private async readPassword(): Promise<string | undefined> {
    await this.stream.wait();
    const frame = this.stream.take();
    if (frame === undefined) return undefined;
    if (frame.type !== "p") throw new Fatal("08P01", "expected a password");
    return textsIn(frame.body)[0] ?? "";
  }

  /** With the API's password for `postgres`, unless SQL has set another since; with that of the catalog for all others. */
  private async logIn(database: Database, password: string): Promise<void> {
    const { world } = this.options;
    const { rows } = await database.asPlatform(() =>
      database.query<{ mayLogIn: boolean; verifier: string | null; validUntil: number | null }>(
        `select rolcanlogin as "mayLogIn", rolpassword as verifier,
           (extract(epoch from nullif(rolvaliduntil, 'infinity')) * 1000)::float8 as "validUntil"
           from pg_authid where rolname = $1`,
        [this.role],
      ),
    );
    const [found] = rows;
    const ofTheApi = this.role === "postgres" ? world.state.projects.get(this.ref)?.dbPass : undefined;
    const isRight =
      found?.verifier == null
        ? ofTheApi !== undefined && equal(ofTheApi, password)
        : isPasswordOf(this.role, password, found.verifier);
    const isOver = found?.validUntil != null && found.validUntil <= world.clock.now();
    if (!isRight || isOver)
      throw new Fatal("28P01", `password authentication failed for user "${this.role}"`);
    if (found?.mayLogIn === false) throw new Fatal("28000", `role "${this.role}" is not permitted to log in`);
  }

  private async withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
    // What gets out of here as it is would be put in the words of an API answer.
    const ended = await inProjectDatabase(this.options.world, this.ref, (database) =>
      work(database).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    );
    if (ended !== undefined) throw ended;
  }

  /** Answers the client while it has the database. */
  private async serve(database: Database): Promise<void> {
    for (let group = await this.nextGroup(true); group !== undefined; group = await this.nextGroup(true)) {
      await this.send(database, group);
    }
    if (this.stream.isEnded) return;
    this.saved = await saveSession(database);
    this.prepared = this.groups.keepPrepared(this.saved.named);
  }

  /** Undefined when the client has left, or makes room for others. */
  private async nextGroup(hasDatabase = false): Promise<MessageGroup | undefined> {
    const { world } = this.options;
    let idleSince = performance.now();
    for (;;) {
      if (hasDatabase && world.databases.isAwaited(this.ref)) {
        if (this.transaction === "I") return undefined;
        if (this.stream.isEmpty && performance.now() - idleSince > IDLE_IN_TRANSACTION_MS) {
          throw new Fatal("25P03", "terminating connection: its transaction is idle, and others wait");
        }
      }
      const frame = this.stream.take();
      if (frame !== undefined) {
        idleSince = performance.now();
        if (frame.type === "X") {
          this.socket.end();
          return undefined;
        }
        const group = this.groups.add(frame);
        if (group !== undefined) return group;
      } else if (this.stream.isEnded) return undefined;
      else await this.stream.wait(hasDatabase ? LOOK_MS : undefined);
    }
  }

  private async send(database: Database, group: MessageGroup): Promise<void> {
    let answer: Uint8Array;
    try {
      answer = await database.converse(group.bytes, group.sql);
    } catch (error) {
      // Only what is refused before Postgres sees it leaves the session as it was.
      if (!(error instanceof DatabaseError) || error.fault.code !== "42501") throw error;
      const ready = message("Z", Buffer.from(this.transaction ?? "I"));
      answer = Buffer.concat([errorMessage(error.fault.code, error.fault.message), ready]);
    }
    const frames = framesIn(answer).filter(({ type }) => type !== "G" || !group.hasCopiedRows);
    const isOver = frames.some(
      ({ type, body }) => type === "E" && /\0V(?:FATAL|PANIC)\0/.test(body.toString()),
    );
    this.transaction = frames.findLast(({ type }) => type === "Z")?.body.toString("latin1");
    this.socket.write(Buffer.concat(frames.map(({ bytes }) => bytes)));
    if (isOver) throw new Fatal("57P01", "the database has ended the session");
  }
}

/** What of the parameters are settings; those in `options` are spelled as arguments of the server. */
function settingsIn(parameters: ReadonlyMap<string, string>): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (name === "database" && value !== "postgres")
      throw new Fatal("3D000", `database "${value}" does not exist`);
    if (name === "replication" && !["false", "off", "no", "0"].includes(value)) {
      throw new Fatal("0A000", "the emulator's databases have no replication");
    }
    if (name === "options") for (const [key, its] of optionsIn(value)) settings.set(key, its);
    else if (!["user", "database", "replication"].includes(name) && !name.startsWith("_pq_."))
      settings.set(name, value);
  }
  return settings;
}

function optionsIn(text: string): [string, string][] {
  const words = text.match(/(?:\\.|[^\s\\])+/gs) ?? [];
  const plain = words.map((word) => word.replaceAll(/\\(.)/gs, "$1")).filter((word) => word !== "-c");
  return plain.map((word) => {
    const [, name, value] = /^(?:-c|--)?([\w.-]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined) {
      throw new Fatal("42601", `the option ${word} is not understood: -c name=value sets a setting`);
    }
    return [name.replaceAll("-", "_"), value];
  });
}

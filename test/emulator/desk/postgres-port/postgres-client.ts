import { once } from "node:events";
import { connect, type Socket } from "node:net";

interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** What one query answered: rows as texts, and the error if there was one. */
export interface Answered {
  readonly rows: (string | null)[][];
  readonly error?: string;
  readonly types: string;
}

/** A client of Postgres that speaks no more of the protocol than the tests need, for machines without one. */
export class PostgresClient {
  private bytes: Buffer = Buffer.alloc(0);
  private wake: () => void = () => undefined;
  private isClosed = false;
  readonly parameters = new Map<string, string>();

  private constructor(private readonly socket: Socket) {
    socket.on("data", (chunk: Buffer) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.wake();
    });
    socket.on("close", () => {
      this.isClosed = true;
      this.wake();
    });
    socket.on("error", () => undefined);
  }

  /** Logs in, or throws what the server says. */
  static async open(
    { host, port }: { readonly host: string; readonly port: number },
    {
      user = "postgres",
      password,
      ...parameters
    }: { user?: string; password: string; [name: string]: string },
  ): Promise<PostgresClient> {
    const socket = connect(port, host);
    await once(socket, "connect");
    const client = new PostgresClient(socket);
    const texts = Object.entries({ user, ...parameters }).flatMap(([name, value]) => [name, value]);
    const body = Buffer.from([...texts, ""].map((text) => `${text}\0`).join(""));
    const head = Buffer.alloc(8);
    head.writeInt32BE(body.length + 8);
    head.writeInt32BE(3 << 16, 4);
    socket.write(Buffer.concat([head, body]));
    for (;;) {
      const { type, body: content } = await client.next();
      if (type === "E") throw new Error(errorOf(content));
      if (type === "R" && content.readInt32BE(0) === 3) client.send("p", `${password}\0`);
      if (type === "S") {
        const [name = "", value = ""] = content.toString().split("\0");
        client.parameters.set(name, value);
      }
      if (type === "Z") return client;
    }
  }

  send(type: string, ...parts: readonly (Buffer | string)[]): void {
    const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    this.socket.write(Buffer.concat([head, body]));
  }

  query(sql: string): Promise<Answered> {
    this.send("Q", `${sql}\0`);
    return this.answer();
  }

  /** Everything up to where the server is ready again. */
  async answer(): Promise<Answered> {
    const answered: { rows: (string | null)[][]; error?: string; types: string } = { rows: [], types: "" };
    for (;;) {
      const { type, body } = await this.next();
      answered.types += type;
      if (type === "D") answered.rows.push(rowOf(body));
      if (type === "E") answered.error = errorOf(body);
      if (type === "Z") return answered;
    }
  }

  /** The error with which the server ends the connection; undefined where it ends without one. */
  async end(): Promise<string | undefined> {
    let error: string | undefined;
    try {
      for (;;) {
        const { type, body } = await this.next();
        if (type === "E") error = errorOf(body);
      }
    } catch {
      return error;
    }
  }

  async next(): Promise<Message> {
    while (this.bytes.length < 5 || this.bytes.length < 1 + this.bytes.readInt32BE(1)) {
      if (this.isClosed) throw new Error("The connection is closed");
      await this.more();
    }
    const end = 1 + this.bytes.readInt32BE(1);
    const message = { type: this.bytes.toString("latin1", 0, 1), body: this.bytes.subarray(5, end) };
    this.bytes = this.bytes.subarray(end);
    return message;
  }

  private more(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  async close(): Promise<void> {
    this.send("X");
    this.socket.end();
    if (!this.isClosed) await once(this.socket, "close");
  }
}

function rowOf(body: Buffer): (string | null)[] {
  const cells: (string | null)[] = [];
  let at = 2;
  for (let count = body.readInt16BE(0); count > 0; count -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    cells.push(length < 0 ? null : body.toString("utf8", at, at + length));
    at += Math.max(0, length);
  }
  return cells;
}

function errorOf(body: Buffer): string {
  const fields = new Map(
    body
      .toString()
      .split("\0")
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  return `${fields.get("S")} ${fields.get("C")} ${fields.get("M")}`;
}

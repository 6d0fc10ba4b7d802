/** One message of Postgres' protocol as it came, with its type and length. */
export interface Frame {
  /** One letter; empty for the packets that begin a connection. */
  readonly type: string;
  readonly bytes: Buffer;
  readonly body: Buffer;
}

/** How far a connection has come: what is larger than any client sends would let memory grow before anybody has logged in. */
export type ConnectionStage = "startup" | "login" | "session";

const LONGEST: Readonly<Record<ConnectionStage, number>> = {
  startup: 10_000,
  login: 65_535,
  session: 0x3fff_ffff,
};

/** Takes the first whole message off `bytes`; until it is whole, how many bytes it needs. Throws for what is no message. */
export function takeFrame(
  bytes: Buffer,
  stage: ConnectionStage,
): { readonly frame: Frame; readonly rest: Buffer } | { readonly neededBytes: number } {
  const typeLength = stage === "startup" ? 0 : 1;
  if (bytes.length < typeLength + 4) return { neededBytes: typeLength + 4 };
  const length = bytes.readInt32BE(typeLength);
  if (length < (stage === "startup" ? 8 : 4) || length > LONGEST[stage]) {
    throw new Error("invalid length of message");
  }
  const end = typeLength + length;
  if (bytes.length < end) return { neededBytes: end };
  const type = bytes.toString("latin1", 0, typeLength);
  const frame = { type, bytes: bytes.subarray(0, end), body: bytes.subarray(typeLength + 4, end) };
  return { frame, rest: bytes.subarray(end) };
}

/** The messages in a whole answer of the database. */
export function framesIn(answer: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  for (let bytes = Buffer.from(answer); bytes.length > 0;) {
    const taken = takeFrame(bytes, "session");
    if ("neededBytes" in taken) throw new Error("The database answered half a message");
    frames.push(taken.frame);
    bytes = Buffer.from(taken.rest);
  }
  return frames;
}

/** Texts that each end with a zero byte. */
export function textsIn(body: Buffer): string[] {
  return body.toString("utf8").split("\0").slice(0, -1);
}

export function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)),
  );
  const head = Buffer.alloc(5);
  head.write(type, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** An error after which the connection ends. */
export function fatalMessage(code: string, text: string): Buffer {
  return message("E", "SFATAL", "VFATAL", `C${code}`, `M${text}`, Buffer.from([0]));
}

export function errorMessage(code: string, text: string): Buffer {
  return message("E", "SERROR", "VERROR", `C${code}`, `M${text}`, Buffer.from([0]));
}

import { parentPort, type MessagePort } from "node:worker_threads";
import { createRemoteJWKSet, jwtVerify, type JWTVerifyGetKey } from "jose";

interface Request {
  readonly port: MessagePort;
  readonly token: string;
  readonly keys: string | Uint8Array;
  readonly now: number;
}

async function verify({ port, token, keys, now }: Request): Promise<void> {
  const find: JWTVerifyGetKey = typeof keys === "string" ? createRemoteJWKSet(new URL(keys)) : () => keys;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, find, { currentDate: new Date(now) });
    port.postMessage({ payload, protectedHeader });
  } catch (error) {
    port.postMessage({ failure: String(error) });
  }
}

parentPort?.on("message", (request: Request) => void verify(request));

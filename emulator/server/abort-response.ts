import type { HttpBindings } from "@hono/node-server";
import type { Ending } from "./pipeline";
import type { Reply } from "./reply";

/** Ends a call as a fault wants it, without a whole answer. */
export async function abortResponse({ incoming, outgoing }: HttpBindings, ending: Ending): Promise<void> {
  const { socket } = incoming;
  if (ending.kind === "held") {
    await new Promise<void>((resolve) => {
      if (socket.destroyed) resolve();
      else socket.once("close", () => resolve());
    });
    return;
  }
  if (ending.kind === "half" && incoming.method !== "HEAD") await sendHalf(outgoing, ending.reply);
  socket.destroy();
}

/** The head, which announces the whole body, and half of it; where there is no body, nothing. */
async function sendHalf(outgoing: HttpBindings["outgoing"], { status, headers, body }: Reply): Promise<void> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes === null || bytes.byteLength === 0) return;
  outgoing.writeHead(status, { ...headers, "content-length": String(bytes.byteLength) });
  const half = bytes.subarray(0, Math.floor(bytes.byteLength / 2));
  // A failed write means that the caller has gone, which is all the same here.
  await new Promise<void>((resolve) => outgoing.write(half, () => resolve()));
}

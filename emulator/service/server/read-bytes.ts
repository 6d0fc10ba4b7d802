import type { HttpBindings } from "@hono/node-server";
import { Refusal } from "../answers/refusal";

/** The service's own limit is not shown (service, Limits). */
export const MAX_BODY_BYTES = 100 * 1024 * 1024;

/** A whole body, of which no more is held than may be sent: one that is too long is refused as soon as that is known. */
export async function readBytes({ incoming, outgoing }: HttpBindings): Promise<Uint8Array> {
  const { headers } = incoming;
  if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) throw tooLarge(outgoing);
  if (headers.expect !== undefined) outgoing.writeContinue();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // The connection must outlive the reading of half a body, as the answer goes over it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      // No encoding was set, so it gives bytes.
      const bytes = chunk as Uint8Array;
      length += bytes.byteLength;
      if (length > MAX_BODY_BYTES) throw tooLarge(outgoing);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "The caller went away before the whole body had arrived");
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

function tooLarge(outgoing: HttpBindings["outgoing"]): Refusal {
  // Closed at once, the connection would take the answer along before a caller that still sends has read it.
  outgoing.shouldKeepAlive = true;
  return new Refusal(413, `Request body too large: at most ${MAX_BODY_BYTES} bytes`);
}

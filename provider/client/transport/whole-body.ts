import type { OpenBody } from "./open-body";

/** An answer's body in memory. */
export interface WholeBody {
  readonly bytes: Uint8Array;
  /** Whether it goes on beyond what is kept. */
  readonly isCut: boolean;
}

/** Reads a body to its end, or to where it becomes larger than `largestBytes`: the rest is not waited for. */
export async function wholeBody(open: OpenBody, largestBytes: number): Promise<WholeBody> {
  const pieces: Uint8Array[] = [];
  for (let piece = await open.next(); piece !== undefined; piece = await open.next()) {
    pieces.push(piece);
    if (open.receivedBytes <= largestBytes) continue;
    open.cancel();
    return { bytes: Buffer.concat(pieces).subarray(0, largestBytes), isCut: true };
  }
  return { bytes: Buffer.concat(pieces), isCut: false };
}

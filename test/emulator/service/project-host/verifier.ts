import { once } from "node:events";
import { join } from "node:path";
import { MessageChannel, Worker } from "node:worker_threads";

type Part = Readonly<Record<string, unknown>>;

export interface Verified {
  readonly payload: Part;
  readonly protectedHeader: Part;
}

/** Somebody who verifies tokens by a library that knows nothing of the emulator; in a thread, since Jest loads no ES modules. */
export class Verifier {
  readonly #worker = new Worker(join(__dirname, "verify.mts"));

  /** Rejects what no key verifies; `keys` is a shared secret, or the URL of a key set, which is read anew each time. */
  async verify(token: string, keys: string | Uint8Array, now: number): Promise<Verified> {
    const { port1, port2 } = new MessageChannel();
    this.#worker.postMessage({ port: port2, token, keys, now }, [port2]);
    // The script beside this file posts either.
    const [answer] = (await once(port1, "message")) as [Verified | { readonly failure: string }];
    port1.close();
    if ("failure" in answer) throw new Error(answer.failure);
    return answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

import { ServerResponse, type IncomingMessage } from "node:http";
import type { Clock } from "../world/clock";

/** Responses whose `date` is the emulator's time, which may not be the machine's. */
export function responsesDatedBy(clock: Clock): typeof ServerResponse {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(...head: [number, ...never[]]): this {
      this.setHeader("date", new Date(clock.now()).toUTCString());
      return super.writeHead(...head);
    }
  };
}

import { type ClientOptions, ManagementClient } from "../../../provider/client";
import { type HttpService, type Responder, startHttpService } from "./http-service";
import { VirtualClock } from "../../../tools/virtual-clock";

export const TOKEN = "token-5f1c0a7e9b";
export const REF = "abcdefghijklmnopqrst";

/** A client, the service it talks to and the clock of both. */
export interface Setup {
  readonly client: ManagementClient;
  readonly service: HttpService;
  readonly clock: VirtualClock;
  /** Debug lines of the client. */
  readonly lines: string[];
}

const running: (() => Promise<void>)[] = [];

/** Starts a service that answers by `respond`, and a client for it; `closeAll` ends both. */
export async function setUp(respond: Responder, options: Partial<ClientOptions> = {}): Promise<Setup> {
  const clock = new VirtualClock();
  const service = await startHttpService(respond);
  const lines: string[] = [];
  const client = new ManagementClient({
    baseUrl: service.url,
    credentials: { kind: "token", accessToken: () => TOKEN },
    clock,
    log: (line) => lines.push(line),
    ...options,
  });
  running.push(async () => {
    await client.close();
    await service.close();
    clock.close();
  });
  return { client, service, clock, lines };
}

export async function closeAll(): Promise<void> {
  await Promise.all(running.splice(0).map((close) => close()));
}

/** The error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error("what was thrown is no error", { cause: error });
  }
  throw new Error("the call succeeded");
}

/** A project as the service answers it. */
export const PROJECT = {
  id: REF,
  ref: REF,
  organization_id: "org-1",
  organization_slug: "acme",
  name: "shop",
  region: "eu-west-1",
  created_at: "2026-01-01T00:00:00Z",
  status: "ACTIVE_HEALTHY",
};

export function json(body: unknown, status = 200): { status: number; body: unknown } {
  return { status, body };
}

import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import {
  CancelledError,
  type CallOptions,
  type ClientOptions,
  type ManagementClient,
  RateLimitedError,
  TimeoutError,
} from "../../provider/client";
import { holdTimers } from "../held-timers";
import type { Reply } from "../provider/client/http-service";
import { closeAll, json, PROJECT, REF, setUp, type Setup } from "../provider/client/setup";

const DEADLINE_MS = 10_000;
const EXHAUSTED = { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "60" };

type Act = (client: ManagementClient, options: CallOptions) => Promise<unknown>;

const ACTS: readonly (readonly ["read" | "write", Act])[] = [
  ["read", (client, options) => client.getProject({ ref: REF }, options)],
  ["write", (client, options) => client.updatePostgresConfig({ ref: REF, body: {} }, options)],
];

/** A call that is kept waiting in one place. */
interface Held extends Setup {
  /** Resolves when the call is where it waits. */
  readonly isThere: Promise<unknown>;
  /** Ends what it waits for. */
  readonly letGo: () => void | Promise<void>;
  /** What the service had got of it before. */
  readonly requestsBefore: number;
}

interface Gate {
  readonly reached: Promise<unknown>;
  readonly isOpen: Promise<unknown>;
  readonly reach: () => void;
  readonly open: () => void;
}

function gate(): Gate {
  const [reached, opened] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  return {
    reached: reached.promise,
    reach: () => reached.resolve(undefined),
    isOpen: opened.promise,
    open: () => opened.resolve(undefined),
  };
}

/** The setup of a wait that the service's answers make. */
async function heldBy(
  answer: (at: Gate, isOfCall: boolean) => Reply | Promise<Reply>,
  options: Partial<ClientOptions> = {},
): Promise<Held> {
  const at = gate();
  const setup = await setUp(({ url }) => answer(at, url.pathname.includes(REF)), options);
  return { ...setup, isThere: at.reached, letGo: at.open, requestsBefore: 0 };
}

const PASSED = json(PROJECT);

interface Wait {
  readonly doing: string;
  readonly hold: () => Promise<Held>;
  /** Whether the request has left when the call waits here. */
  readonly hasLeft?: true;
  /** How often the request has left before. */
  readonly tries?: number;
  /** The wait is one of the clock, which the call tells of when it begins. */
  readonly isTold?: true;
  readonly deadlineMs?: number;
}

const WAITS: Readonly<Record<string, Wait>> = {
  "for a token that the caller gives": {
    doing: "fetching an access token",
    hold: () => {
      const at = gate();
      const accessToken = async (): Promise<string> => {
        at.reach();
        await at.isOpen;
        return "token-of-the-caller";
      };
      return heldBy(() => PASSED, { credentials: { kind: "token", accessToken } }).then((held) => ({
        ...held,
        isThere: at.reached,
        letGo: at.open,
      }));
    },
  },
  "for a token that the service exchanges": {
    doing: "fetching an access token",
    hold: () =>
      heldBy(
        async (at, isOfCall) => {
          if (isOfCall) return PASSED;
          at.reach();
          await at.isOpen;
          return json(
            { access_token: "token-1", refresh_token: "refresh-2", expires_in: 3600, token_type: "Bearer" },
            201,
          );
        },
        {
          credentials: { kind: "oauth", clientId: "id", clientSecret: "secret-1", refreshToken: "refresh-1" },
        },
      ),
  },
  "for another token": {
    doing: "fetching another access token",
    tries: 1,
    hold: () => {
      const at = gate();
      let asked = 0;
      const accessToken = async (): Promise<string> => {
        asked += 1;
        if (asked > 1) {
          at.reach();
          await at.isOpen;
        }
        return `token-number-${asked}`;
      };
      return heldBy(() => json({}, 401), { credentials: { kind: "token", accessToken } }).then((held) => ({
        ...held,
        isThere: at.reached,
        letGo: at.open,
      }));
    },
  },
  "for a connection that others use": {
    doing: "waiting for a connection",
    hold: async () => {
      const held = await heldBy(
        async (at, isOfCall) => {
          if (!isOfCall) {
            at.reach();
            await at.isOpen;
          }
          return isOfCall ? PASSED : json([]);
        },
        { connections: 1 },
      );
      const other = held.client.listProjects();
      await held.isThere;
      return {
        ...held,
        requestsBefore: 1,
        letGo: async () => {
          await held.letGo();
          await other;
        },
      };
    },
  },
  "for the rate limit": {
    doing: `waiting for the rate limit of project ${REF}`,
    isTold: true,
    hold: async () => {
      const held = await heldBy(() => ({ ...PASSED, headers: EXHAUSTED }));
      await held.client.getProject({ ref: REF });
      return { ...held, letGo: () => held.clock.advance(120_000), requestsBefore: 1 };
    },
  },
  "for a connection that is never made safe": {
    doing: "waiting for a connection",
    hold: async () => {
      const at = gate();
      const silent = createServer(() => at.reach()).listen(0, "127.0.0.1");
      await once(silent, "listening");
      const sockets = new Promise<() => void>((resolve) => {
        silent.once("connection", (socket) => resolve(() => socket.destroy()));
      });
      const { port } = silent.address() as AddressInfo;
      const held = await heldBy(() => PASSED, { baseUrl: `https://127.0.0.1:${port}` });
      return {
        ...held,
        isThere: at.reached,
        letGo: async () => {
          (await sockets)();
          silent.close();
          await once(silent, "close");
        },
      };
    },
  },
  "to try again": {
    doing: "waiting to try again, after the service answered 503",
    tries: 1,
    isTold: true,
    // The first pause takes longer.
    deadlineMs: 100,
    hold: async () => {
      const held = await heldBy(() => json({}, 503));
      return { ...held, letGo: () => held.clock.advance(120_000) };
    },
  },
  "for the answer": {
    doing: "waiting for the answer",
    hasLeft: true,
    tries: 1,
    hold: () =>
      heldBy(async (at) => {
        at.reach();
        await at.isOpen;
        return PASSED;
      }),
  },
  "for the answer's end": {
    doing: "waiting for the answer",
    hasLeft: true,
    tries: 1,
    hold: () =>
      heldBy((at) => ({
        status: 200,
        write: (outgoing) => {
          outgoing.write('{"ref":', at.reach);
          void at.isOpen.then(() => outgoing.end(`"${REF}"}`));
        },
      })),
  },
};

const CELLS = Object.entries(WAITS).flatMap(([where, wait]) =>
  ACTS.map(([kind, act]) => ({ where, wait, kind, act })),
);

let timers: ReturnType<typeof holdTimers>;

beforeEach(() => {
  timers = holdTimers();
});

afterEach(async () => {
  await closeAll();
  jest.useRealTimers();
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

/** What the service has got of the call when everything that could still leave has left. */
async function requestsInTheEnd({ service, requestsBefore, letGo }: Held): Promise<number> {
  await letGo();
  await turns();
  return (
    service.requests.filter(({ url }) => url.pathname.includes(REF) || url.pathname === "/v1/projects")
      .length - requestsBefore
  );
}

it.each(CELLS)("a $kind that waits $where ends at its deadline", async ({ wait, kind, act }) => {
  const held = await wait.hold();
  const deadlineMs = held.clock.now() + (wait.deadlineMs ?? DEADLINE_MS);
  const ending = act(held.client, { deadlineMs }).catch((error: unknown) => error);
  await Promise.race([held.isThere, ending]);
  await turns();
  timers.passMs(DEADLINE_MS);
  const failure = await ending;
  if (wait.doing.startsWith("waiting to try again")) expect(failure).toMatchObject({ status: 503 });
  else {
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ requestSent: wait.hasLeft === true });
    expect(String(failure)).toContain(`was not done by its deadline: it was ${wait.doing}`);
  }
  expect([kind, await requestsInTheEnd(held)]).toEqual([kind, wait.tries ?? 0]);
});

it.each(CELLS)("a $kind that waits $where ends when it is cancelled", async ({ wait, kind, act }) => {
  const held = await wait.hold();
  const cancel = new AbortController();
  const progress = wait.isTold === true ? { progress: () => cancel.abort() } : {};
  const ending = act(held.client, { signal: cancel.signal, ...progress }).catch((error: unknown) => error);
  await Promise.race([held.isThere, ending]);
  await turns();
  cancel.abort();
  const isAwaited = kind === "write" && wait.hasLeft === true;
  if (isAwaited) await held.letGo();
  const ended = await ending;
  if (isAwaited) expect(ended).not.toBeInstanceOf(Error);
  else {
    expect(ended).toBeInstanceOf(CancelledError);
    expect(String(ended)).toContain(`was cancelled while ${wait.doing}`);
  }
  expect(await requestsInTheEnd(held)).toBe(wait.tries ?? 0);
});

it("a write that has waited in vain for its window is not sent in the next one", async () => {
  const { client, clock, service } = await setUp(() => ({ ...PASSED, headers: EXHAUSTED }));
  await client.getProject({ ref: REF });
  const write = client.updatePostgresConfig({ ref: REF, body: {} }, { deadlineMs: clock.now() + 30_000 });
  await expect(write).rejects.toThrow(TimeoutError);
  await expect(client.getProject({ ref: REF })).resolves.toMatchObject({ ref: REF });
  expect(service.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

it("a refusal whose window ends after the deadline is told at once", async () => {
  const { client, clock } = await setUp(() => ({ status: 429, headers: { "retry-after": "60" } }));
  const write = client.updatePostgresConfig({ ref: REF, body: {} }, { deadlineMs: clock.now() + 30_000 });
  await expect(write).rejects.toThrow(RateLimitedError);
});

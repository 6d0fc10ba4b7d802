import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { ClientOptions } from "../../../provider/client";
import type { Reply } from "./http-service";
import { json, PROJECT, REF, setUp, type Setup } from "./setup";

/** One call uses the window up. */
export const EXHAUSTED = {
  "x-ratelimit-limit": "1",
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": "60",
};

/** A call that is kept waiting in one place. */
export interface Held extends Setup {
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

export interface Wait {
  readonly doing: string;
  readonly hold: () => Promise<Held>;
  /** Whether the request has left when the call waits here. */
  readonly hasLeft?: true;
  /** How often the request has left before. */
  readonly tries?: number;
  /** The wait is one of the clock, which the call tells of when it begins. */
  readonly isTold?: true;
  readonly deadlineMs?: number;
  /** What the service has said, or would say, where the deadline ends the call with it. */
  readonly status?: number;
}

/** Every wait that a call can be in, each with what holds it there. */
export const WAITS: Readonly<Record<string, Wait>> = {
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
    status: 429,
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
    status: 503,
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

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ManagementClient } from "../../../../provider/client";
import * as errors from "../../../../provider/client/errors/errors";
import { createProcessRuntime } from "../../../../provider/process/process-runtime";
import { fakeTimers } from "../../../kit/fake-timers";
import { DROP, type Responder } from "../http-service";
import { closeAll, failureOf, json, REF, setUp, type Setup } from "../setup";
import { waitUntil } from "../../../kit/wait-until";

afterEach(async () => {
  await closeAll();
  jest.useRealTimers();
});

type Call = (setup: Setup) => Promise<unknown>;

interface Situation {
  readonly when: string;
  readonly answer: Responder;
  readonly call: Call;
}

const getProject: Call = ({ client }) => client.getProject({ ref: REF });
const within =
  (ms: number): Call =>
  ({ client, clock }) =>
    client.getProject({ ref: REF }, { deadlineMs: clock.now() + ms });

/** An answer after which no call is left for 50 seconds. */
const lastOfWindow = {
  "x-ratelimit-limit": "1",
  "x-ratelimit-remaining": "0",
  "x-ratelimit-reset": "50",
};

const answering =
  (status: number, body: unknown = { message: "no" }): Responder =>
  () => ({ status, body });

const withRefreshToken =
  (refusal: number): Call =>
  async ({ service, clock }) => {
    const { client } = await setUp(answering(refusal), {
      baseUrl: service.url,
      clock,
      credentials: {
        kind: "oauth",
        clientId: "id",
        clientSecret: "a-client-secret",
        refreshToken: "a-refresh-token",
      },
    });
    return client.getProject({ ref: REF });
  };

/** Where each description says that the error is thrown. */
const SITUATIONS: Readonly<Record<string, readonly Situation[]>> = {
  ApiError: [
    { when: "a status that is no success", answer: answering(422), call: getProject },
    { when: "404 of another server", answer: answering(404, "<html>"), call: getProject },
    { when: "a fault of the service that stays", answer: answering(501), call: getProject },
  ],
  NotFoundError: [
    { when: "404", answer: answering(404), call: getProject },
    { when: "406", answer: answering(406), call: getProject },
    {
      when: "400 of a removed project",
      answer: answering(400, { message: "Resource has been removed" }),
      call: getProject,
    },
  ],
  ConflictError: [{ when: "409", answer: answering(409), call: getProject }],
  RateLimitedError: [
    { when: "429 until the client gives up", answer: answering(429), call: getProject },
    {
      when: "429 and a window that ends after the deadline",
      answer: () => ({ status: 429, headers: lastOfWindow }),
      call: within(30_000),
    },
    {
      when: "a used-up limit, before anything is sent",
      answer: () => ({ status: 200, headers: lastOfWindow, body: { id: REF, ref: REF } }),
      call: async (setup) => {
        await setup.client.listApiKeys({ ref: REF }).catch(() => undefined);
        return within(30_000)(setup);
      },
    },
  ],
  QuotaError: [
    {
      when: "429 with calls left",
      answer: () => ({
        status: 429,
        headers: { ...lastOfWindow, "x-ratelimit-limit": "120", "x-ratelimit-remaining": "100" },
        body: { message: "still processing addon changes" },
      }),
      call: getProject,
    },
  ],
  UnauthorizedError: [
    { when: "401", answer: answering(401), call: getProject },
    { when: "a refresh token that is refused", answer: answering(400), call: withRefreshToken(400) },
    { when: "an OAuth client that is refused", answer: answering(401), call: withRefreshToken(401) },
  ],
  ForbiddenError: [{ when: "403", answer: answering(403), call: getProject }],
  NetworkError: [
    { when: "a broken connection", answer: () => DROP, call: getProject },
    {
      when: "no service",
      answer: answering(200),
      call: async (setup) => {
        await setup.service.close();
        return getProject(setup);
      },
    },
    { when: "an access token that cannot be fetched", answer: answering(503), call: withRefreshToken(503) },
  ],
  TimeoutError: [
    {
      when: "no answer in time",
      answer: () => new Promise(() => undefined),
      call: async ({ client, service }) => {
        const { passMs } = fakeTimers();
        const call = client.pauseProject({ ref: REF });
        await waitUntil("the request arrives", () => service.requests.length > 0);
        // Longer than any client waits for an answer.
        passMs(60_000);
        return call;
      },
    },
    { when: "a deadline that has passed", answer: answering(200), call: within(-1) },
  ],
  CancelledError: [
    {
      when: "the caller's signal",
      answer: answering(200),
      call: ({ client }) => client.getProject({ ref: REF }, { signal: AbortSignal.abort() }),
    },
    {
      when: "a client that is closed",
      answer: () => new Promise(() => undefined),
      call: async (setup) => {
        const call = getProject(setup);
        await setup.client.close();
        return call;
      },
    },
  ],
  ResponseSchemaError: [
    { when: "a success that is no JSON", answer: answering(200, "ok"), call: getProject },
    { when: "a missing identifier", answer: answering(200, {}), call: getProject },
  ],
  InvalidInputError: [
    {
      when: "an access token that no request can carry",
      answer: answering(200),
      call: async ({ service, clock }) => {
        const { client } = await setUp(answering(200), {
          baseUrl: service.url,
          clock,
          credentials: { kind: "token", accessToken: () => "a b" },
        });
        return client.getProject({ ref: REF });
      },
    },
    {
      when: "a missing parameter",
      answer: answering(200),
      call: ({ client }) => client.getProject({ ref: "" }),
    },
  ],
};

const concrete = Object.entries(errors).flatMap(([name, value]) =>
  typeof value === "function" && value.prototype instanceof errors.ManagementError ? [name] : [],
);

it("every error class has its situations", () => {
  expect(Object.keys(SITUATIONS).sort()).toEqual(concrete.sort());
});

describe.each(Object.entries(SITUATIONS))("%s", (name, situations) => {
  it.each(situations)("is thrown for $when", async ({ answer, call }) => {
    const setup = await setUp(answer);
    expect((await failureOf(call(setup))).name).toBe(name);
  });
});

it("a rate limit that ends a call after a doubtful attempt is a TimeoutError, as the attempt may have been executed", async () => {
  const { client, clock } = await setUp((_, index) => ({
    status: 503,
    headers: index === 0 ? lastOfWindow : {},
  }));
  const options = { deadlineMs: clock.now() + 30_000 };
  const failure = await failureOf(client.updateProject({ ref: REF, body: { name: "shop" } }, options));
  expect(errors.isAmbiguous(failure)).toBe(true);
});

describe("the advice about a refused access token", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "management-advice-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const OAUTH = {
    MANAGEMENT_CLIENT_ID: "id",
    MANAGEMENT_CLIENT_SECRET: "a-client-secret",
    MANAGEMENT_REFRESH_TOKEN: "a-refresh-token",
  };

  /** The client of a provider's process. */
  async function providersClient(credentials: NodeJS.ProcessEnv): Promise<ManagementClient> {
    const { service, clock } = await setUp(({ url }) =>
      url.pathname.endsWith("/oauth/token")
        ? json({ access_token: "issued", token_type: "Bearer" }, 201)
        : json({}, 401),
    );
    const env = { XDG_STATE_HOME: folder, MANAGEMENT_BASE_URL: service.url, ...credentials };
    return createProcessRuntime(env, () => Promise.resolve(), { clock })
      .runtime()
      .client();
  }

  it.each([
    [
      "access token",
      { MANAGEMENT_ACCESS_TOKEN: "a-token" },
      "pulumi config set --secret management:accessToken",
    ],
    ["refresh token", OAUTH, "pulumi config set --secret management:refreshToken"],
  ])("tells in Pulumi how a stack's %s is set", async (_, credentials, advice) => {
    const client = await providersClient(credentials);
    try {
      const failure = await failureOf(client.getProject({ ref: REF }));
      expect(failure).toBeInstanceOf(errors.UnauthorizedError);
      expect(failure.message).toContain(advice);
    } finally {
      await client.close();
    }
  });

  it("does not speak of Pulumi to those who use the client alone", async () => {
    const setup = await setUp(answering(401));
    expect((await failureOf(getProject(setup))).message).not.toMatch(/pulumi/i);
    expect((await failureOf(withRefreshToken(400)(setup))).message).not.toMatch(/pulumi/i);
  });
});

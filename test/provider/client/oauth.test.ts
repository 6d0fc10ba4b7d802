import {
  CancelledError,
  isAmbiguous,
  isNotFound,
  NetworkError,
  UnauthorizedError,
} from "../../../provider/client/errors/errors";
import type { Received, Reply } from "./http-service";
import { closeAll, failureOf, json, setUp, type Setup } from "./setup";

const CLIENT_ID = "3f8a2b9c-0000-4000-8000-000000000001";
const CLIENT_SECRET = "client-secret-6d1";
const NEW_PROJECT = { body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } };

afterEach(closeAll);

/** A service whose tokens live as long as is said, and whose refresh tokens are valid once. */
interface OAuthService extends Setup {
  readonly exchanges: URLSearchParams[];
  readonly rotated: string[];
  /** Makes the tokens issued so far invalid. */
  readonly revokeAccessTokens: () => void;
  /** Makes all tokens invalid from now on. */
  readonly refuseAccessTokens: () => void;
}

async function setUpOAuth(
  answer?: (exchange: number) => Reply | Promise<undefined> | undefined,
): Promise<OAuthService> {
  const exchanges: URLSearchParams[] = [];
  const rotated: string[] = [];
  let accepted = "none";
  let refusesAll = false;
  const respond = async ({ url, headers, body }: Received): Promise<Reply> => {
    if (url.pathname !== "/v1/oauth/token") {
      return !refusesAll && headers.authorization === `Bearer ${accepted}`
        ? json([])
        : json({ message: "bad token" }, 401);
    }
    exchanges.push(new URLSearchParams(body.toString()));
    const special = await answer?.(exchanges.length);
    if (special !== undefined) return special;
    accepted = `access-token-${exchanges.length}`;
    const refresh_token = `refresh-token-${exchanges.length}`;
    return json({ access_token: accepted, refresh_token, expires_in: 600, token_type: "Bearer" }, 201);
  };
  const setup = await setUp(respond, {
    credentials: {
      kind: "oauth",
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      refreshToken: "refresh-token-0",
      kept: { read: () => rotated.at(-1), write: (refreshToken) => void rotated.push(refreshToken) },
    },
  });
  return {
    ...setup,
    exchanges,
    rotated,
    revokeAccessTokens: () => (accepted = "none"),
    refuseAccessTokens: () => (refusesAll = true),
  };
}

it("exchanges the refresh token once for many calls, as a form and without a bearer token", async () => {
  const { client, service, exchanges } = await setUpOAuth();
  await Promise.all(Array.from({ length: 10 }, () => client.listProjects({})));
  expect(exchanges.map((form) => Object.fromEntries(form))).toEqual([
    {
      grant_type: "refresh_token",
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      refresh_token: "refresh-token-0",
    },
  ]);
  const [exchange] = service.requests;
  expect(exchange?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(exchange?.headers.authorization).toBeUndefined();
});

it("renews the token a minute before it expires, with the rotated refresh token", async () => {
  const { client, clock, exchanges, rotated } = await setUpOAuth();
  await client.listProjects({});
  clock.advance(539_000);
  await client.listProjects({});
  expect(exchanges).toHaveLength(1);
  clock.advance(1_000);
  await client.listProjects({});
  expect(exchanges.map((form) => form.get("refresh_token"))).toEqual(["refresh-token-0", "refresh-token-1"]);
  expect(rotated).toEqual(["refresh-token-1", "refresh-token-2"]);
});

it("renews a revoked token once and repeats the calls", async () => {
  const { client, exchanges, revokeAccessTokens } = await setUpOAuth();
  await client.listProjects({});
  revokeAccessTokens();
  await Promise.all(Array.from({ length: 5 }, () => client.listProjects({})));
  expect(exchanges).toHaveLength(2);
});

it("gives up when the new token is refused as well", async () => {
  const { client, service, refuseAccessTokens } = await setUpOAuth();
  refuseAccessTokens();
  const failure = await failureOf(client.listProjects({}));
  expect(failure).toBeInstanceOf(UnauthorizedError);
  expect(service.requests).toHaveLength(4);
});

it("says what to do when the refresh token is refused, and never takes that for gone", async () => {
  const { client } = await setUpOAuth(() => json({ error: "invalid_grant" }, 404));
  const failure = await failureOf(client.listProjects({}));
  expect(failure).toBeInstanceOf(UnauthorizedError);
  expect(isNotFound(failure)).toBe(false);
  expect(failure.message).toContain("authorize the application again");
});

it("does not take a time-out of the exchange for a refusal of the refresh token", async () => {
  const { client } = await setUpOAuth(() => json({}, 408));
  const failure = await failureOf(client.listProjects({}));
  expect(failure).toBeInstanceOf(NetworkError);
  expect(failure.message).not.toContain("authorize the application again");
});

it("repeats the exchange when the service fails", async () => {
  const { client, exchanges } = await setUpOAuth((exchange) => (exchange < 3 ? json({}, 503) : undefined));
  await client.listProjects({});
  expect(exchanges).toHaveLength(3);
});

it("knows that a write was not sent when no token could be fetched", async () => {
  const { client } = await setUpOAuth(() => json({}, 503));
  const failure = await failureOf(client.createProject(NEW_PROJECT));
  expect(failure).toBeInstanceOf(NetworkError);
  expect(isAmbiguous(failure)).toBe(false);
});

it("tries again with the next call after an exchange failed", async () => {
  const { client } = await setUpOAuth((exchange) => (exchange === 1 ? json({}, 400) : undefined));
  await failureOf(client.listProjects({}));
  expect(await client.listProjects({})).toEqual([]);
});

it("goes on with an exchange for others when the call that began it is cancelled", async () => {
  let release: (() => void) | undefined;
  const held = new Promise<undefined>((resolve) => (release = () => resolve(undefined)));
  const { client, exchanges } = await setUpOAuth(async () => held);
  const cancel = new AbortController();
  const first = failureOf(client.listProjects({}, { signal: cancel.signal }));
  const second = client.listProjects({});
  cancel.abort();
  expect(await first).toBeInstanceOf(CancelledError);
  release?.();
  await second;
  expect(exchanges).toHaveLength(1);
});

it("shows none of its secrets", async () => {
  const { client, lines, exchanges } = await setUpOAuth((exchange) =>
    exchange === 2
      ? json({ message: `refused ${CLIENT_SECRET} refresh-token-1 access-token-1` }, 400)
      : undefined,
  );
  await client.listProjects({});
  const { message } = await failureOf(
    client.listOrganizations({}).then(() => client.exchangeToken({ body: {} })),
  );
  expect(exchanges).toHaveLength(2);
  expect(`${message} ${lines.join(" ")}`).not.toMatch(/client-secret|refresh-token|access-token/);
});

it("goes on with the refresh token that another process has kept, before and after a refusal", async () => {
  const setUp = await setUpOAuth((exchange) => {
    if (exchange !== 2) return undefined;
    // The other process is quicker: this one's token is refused, and the kept one is newer.
    setUp.rotated.push("newest-refresh-token");
    return json({ message: "refresh token was used already" }, 400);
  });
  const { client, exchanges, rotated, revokeAccessTokens } = setUp;
  rotated.push("refresh-token-of-another-process");
  await client.listProjects({});
  expect(exchanges.map((form) => form.get("refresh_token"))).toEqual(["refresh-token-of-another-process"]);

  revokeAccessTokens();
  await client.listProjects({});
  expect(exchanges.map((form) => form.get("refresh_token")).slice(1)).toEqual([
    "refresh-token-1",
    "newest-refresh-token",
  ]);
});

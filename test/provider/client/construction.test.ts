import {
  type AnswerOf,
  InvalidInputError,
  ManagementClient,
  type ParametersOf,
} from "../../../provider/client";
import { startHttpService } from "./http-service";
import { failureOf, json, PROJECT, REF } from "./setup";

const environment = process.env;

beforeEach(() => {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith("MANAGEMENT_"));
  process.env = Object.fromEntries(others);
});

afterEach(() => {
  process.env = environment;
});

/** What a service gets from a client that is made for its address. */
async function authorizationSent(make: (url: string) => ManagementClient): Promise<string | undefined> {
  const service = await startHttpService(() => json(PROJECT));
  const client = make(service.url);
  try {
    const project: AnswerOf<"getProject"> = await client.getProject({ ref: REF });
    expect(project.ref).toBe(REF);
    return service.requests[0]?.headers.authorization;
  } finally {
    await client.close();
    await service.close();
  }
}

it("takes an access token", async () => {
  const sent = await authorizationSent(
    (baseUrl) => new ManagementClient({ baseUrl, accessToken: "token-12345" }),
  );
  expect(sent).toBe("Bearer token-12345");
});

it("asks a function for the access token", async () => {
  const accessToken = async (): Promise<string> => Promise.resolve("token-67890");
  expect(await authorizationSent((baseUrl) => new ManagementClient({ baseUrl, accessToken }))).toBe(
    "Bearer token-67890",
  );
});

it("takes credentials", async () => {
  const credentials = { kind: "token", accessToken: () => "token-abcde" } as const;
  expect(await authorizationSent((baseUrl) => new ManagementClient({ baseUrl, credentials }))).toBe(
    "Bearer token-abcde",
  );
});

it("takes from the environment what it is not told", async () => {
  process.env["MANAGEMENT_ACCESS_TOKEN"] = "token-of-environment";
  const sent = await authorizationSent((url) => {
    process.env["MANAGEMENT_BASE_URL"] = url;
    return new ManagementClient();
  });
  expect(sent).toBe("Bearer token-of-environment");
});

it("says what is missing", async () => {
  expect(() => new ManagementClient()).toThrow(
    new InvalidInputError(
      "baseUrl",
      "The base URL of the Management API is missing: pass `baseUrl` to the client, or set the environment variable MANAGEMENT_BASE_URL.",
    ),
  );
  const client = new ManagementClient({ baseUrl: "http://127.0.0.1:9" });
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(InvalidInputError);
  expect(failure.message).toContain(
    "The access token is missing: set a valid one in the environment variable MANAGEMENT_ACCESS_TOKEN",
  );
  await client.close();
});

it("refuses two ways to prove who calls", () => {
  const credentials = { kind: "token", accessToken: () => "b" } as const;
  expect(
    () => new ManagementClient({ baseUrl: "http://127.0.0.1:9", accessToken: "a", credentials }),
  ).toThrow("`accessToken` and `credentials` cannot be combined");
});

it("exchanges an authorization code without an access token", async () => {
  const answer = { access_token: "a", refresh_token: "b", expires_in: 3600, token_type: "Bearer" } as const;
  const service = await startHttpService(() => json(answer, 201));
  const client = new ManagementClient({ baseUrl: service.url });
  const body: ParametersOf<"exchangeToken">["body"] = {
    grant_type: "authorization_code",
    client_id: "5f1c0a7e-9b1d-4c3e-8f2a-1b2c3d4e5f60",
    client_secret: "secret of the application",
    code: "code&1",
    redirect_uri: "https://example.com/back",
  };
  expect(await client.exchangeToken({ body })).toEqual(answer);
  const [request] = service.requests;
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(request?.body.toString()).toContain("client_secret=secret+of+the+application&code=code%261");
  await client.close();
  await service.close();
});

it("can be extended", async () => {
  class Shop extends ManagementClient {
    async nameOf(ref: string): Promise<string | null | undefined> {
      return (await this.getProject({ ref })).name;
    }
  }
  const service = await startHttpService(() => json(PROJECT));
  const shop = new Shop({ baseUrl: service.url, accessToken: "token-12345" });
  expect(await shop.nameOf(REF)).toBe("shop");
  await shop.close();
  await service.close();
});

/** Compiled, never run: what the types allow and refuse. */
export function typeChecks(client: ManagementClient): unknown[] {
  return [
    client.listProjects(),
    client.listSnippets(),
    client.listSnippets({ limit: "5" }),
    client.iterate.listSnippets(),
    // @ts-expect-error -- a project must be named
    client.getProject(),
    // @ts-expect-error -- an operation without parameters takes none
    client.listProjects({ ref: REF }),
    // @ts-expect-error -- the page is the iteration's own business
    client.iterate.listActionRuns({ ref: REF, offset: 5 }),
    // @ts-expect-error -- request enums are closed
    client.listSnippets({ sort_by: "age" }),
  ];
}

it("makes the address that a person opens, below the path of the base URL", async () => {
  const client = new ManagementClient({ baseUrl: "https://api.example.com/management/", accessToken: "t" });
  const query = {
    client_id: "id",
    response_type: "code",
    redirect_uri: "https://app.example.com/?a=1",
  } as const;
  expect(client.addressOf("authorize", query)).toBe(
    "https://api.example.com/management/v1/oauth/authorize?client_id=id&response_type=code&redirect_uri=https%3A%2F%2Fapp.example.com%2F%3Fa%3D1",
  );
  await client.close();
});

import { createHash } from "node:crypto";
import { authorize } from "../../spec/operations/oauth";
import { startScenario, type Scenario } from "../kit/scenario";
import { faults, invoke } from "./invoke";

const VERIFIER = "a-verifier-of-at-least-forty-three-characters";
const CALLBACK = "https://app.example/callback?tenant=1";
const clientId = "0f8fad5b-d9cb-469f-a165-70867728950e";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

interface Address {
  readonly url: string;
  readonly codeChallenge?: string;
}
const addressOf = (more: object): Promise<Address> =>
  invoke<Address>(scenario, "getAuthorizeUrl", { clientId, redirectUri: CALLBACK, ...more });

describe("getAuthorizeUrl", () => {
  it("makes the address of the operation with all that it takes, without a call", async () => {
    const given = {
      scopes: ["projects:read", "secrets:read"],
      state: "a b&c",
      codeVerifier: VERIFIER,
      organizationSlug: "acme",
      responseMode: "fragment",
      resource: "https://mcp.example.com/",
    };
    const { url, codeChallenge } = await addressOf(given);
    const challenge = createHash("sha256").update(VERIFIER).digest("base64url");
    expect(codeChallenge).toBe(challenge);
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe(`${scenario.emulator.url}/v1/oauth/authorize`);
    const query = Object.fromEntries(searchParams);
    expect(query).toEqual({
      client_id: clientId,
      response_type: "code",
      redirect_uri: CALLBACK,
      scope: "projects:read secrets:read",
      state: "a b&c",
      response_mode: "fragment",
      code_challenge: challenge,
      code_challenge_method: "S256",
      organization_slug: "acme",
      resource: "https://mcp.example.com/",
    });
    expect(authorize.query.strict().parse(query)).toEqual(query);
    expect(url).not.toContain(VERIFIER);
    expect(await addressOf(given)).toEqual({ url, codeChallenge });
    expect(scenario.calls()).toBe(0);
  });

  it("leaves out what is not given", async () => {
    const { url, codeChallenge } = await addressOf({ responseType: "token" });
    expect([...new URL(url).searchParams.keys()]).toEqual(["client_id", "response_type", "redirect_uri"]);
    expect(codeChallenge).toBeUndefined();
  });

  it("leads to a code that the verifier redeems", async () => {
    const { control } = scenario.emulator;
    const app = control.createOAuthApp({ scopes: ["projects:read"], redirectUris: [CALLBACK] });
    const { url } = await addressOf({ clientId: app.clientId, codeVerifier: VERIFIER });
    expect((await fetch(url)).status).toBe(204);
    const { redirectTo } = control.approveAuthorization();
    const redeem = (code_verifier: string) =>
      scenario.client.exchangeToken({
        body: {
          grant_type: "authorization_code",
          client_id: app.clientId,
          client_secret: app.clientSecret,
          code: new URL(redirectTo).searchParams.get("code") ?? "",
          code_verifier,
          redirect_uri: CALLBACK,
        },
      });
    await expect(redeem(Array.from(VERIFIER).reverse().join(""))).rejects.toThrow("code_verifier");
    expect((await redeem(VERIFIER)).access_token).not.toBe("");
  });

  it("refuses a verifier that is none without showing it, and a scope that is two", () => {
    const given = { clientId, redirectUri: CALLBACK, codeVerifier: "short", scopes: ["a b"] };
    expect(faults("getAuthorizeUrl", given)).toEqual([
      'scopes[0]: got "a b"; expected a scope without spaces, as `projects:read`',
      expect.stringMatching(/^codeVerifier: the value is secret and not shown; expected 43 to 128 letters/),
    ]);
  });
});

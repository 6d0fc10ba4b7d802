import { createHash } from "node:crypto";
import {
  createOAuthApp,
  type OAuthAppCredentials,
  type OAuthAppSeed,
} from "../../../../../emulator/service/rules/oauth/oauth-apps";
import {
  approve,
  deny,
  pendingRequests,
  type Approval,
} from "../../../../../emulator/service/rules/oauth/oauth-consent";
import { findGrant } from "../../../../../emulator/service/access/tokens";
import type { OperationParameters } from "../../../../../spec/operation";
import type { Operations } from "../../../../../spec/table";
import { createRulesWorld, found, type RulesWorld } from "../rules-world";

const CALLBACK = "https://app.example/callback?tenant=1";
const VERIFIER = "a-verifier-of-at-least-forty-three-characters";
const DIGEST = createHash("sha256").update(VERIFIER).digest("base64url");

let service: RulesWorld;
beforeEach(() => {
  service = createRulesWorld();
});

type Asked = OperationParameters<Operations["authorize"]>;
type Form = OperationParameters<Operations["exchangeToken"]>["body"];

function register(seed: Partial<OAuthAppSeed> = {}): OAuthAppCredentials {
  return createOAuthApp(service.world, {
    scopes: ["projects:read", "projects:write", "secrets:read"],
    redirectUris: [CALLBACK],
    ...seed,
  });
}

function asked({ clientId }: OAuthAppCredentials, changed: Partial<Asked> = {}): Asked {
  return { client_id: clientId, response_type: "code", redirect_uri: CALLBACK, state: "s1", ...changed };
}

/** The code with which the user's browser comes back. */
function codeFor(app: OAuthAppCredentials, changed: Partial<Asked> = {}, approval: Approval = {}): string {
  service.call("authorize", asked(app, changed));
  return new URL(approve(service.world, approval).redirectTo).searchParams.get("code") ?? "";
}

function redemption({ clientId, clientSecret }: OAuthAppCredentials, code: string, more: Form = {}): Form {
  return {
    grant_type: "authorization_code",
    client_id: clientId,
    client_secret: clientSecret,
    code,
    redirect_uri: CALLBACK,
    ...more,
  };
}

const refusal = (body: Form): string => service.refusal("exchangeToken", { body });
const scopesOf = (token: string): readonly string[] | undefined => {
  const grant = findGrant(service.world, token);
  return grant !== "expired" && grant?.kind === "oauth" ? grant.scopes : undefined;
};

describe("an authorization request", () => {
  it("waits for the user, as long as an hour", () => {
    const app = register();
    service.call("authorize", asked(app, { scope: "secrets:read projects:read", organization_slug: "acme" }));
    expect(pendingRequests(service.world)).toMatchObject([
      {
        clientId: app.clientId,
        state: "s1",
        scopes: ["projects:read", "secrets:read"],
        organizationSlug: "acme",
        projectRef: null,
      },
    ]);
    service.advance(3_599);
    expect(pendingRequests(service.world)).toHaveLength(1);
    service.advance(1);
    expect(pendingRequests(service.world)).toEqual([]);
    expect(() => approve(service.world, {})).toThrow("No such authorization request is pending");
  });

  it.each<[Partial<Asked>, string]>([
    [{ client_id: "2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1" }, "422 Unrecognized client_id"],
    [
      { redirect_uri: "https://elsewhere.example" },
      "400 Invalid redirect_uri: it is not registered for this",
    ],
    [{ response_type: "token" }, "400 Unsupported response_type: token"],
    [{ response_mode: "form_post" }, "400 Unsupported response_mode: form_post"],
    [{ scope: "projects:read colour:red" }, "400 Invalid scope: colour:red is unknown"],
    [{ scope: "secrets:write" }, "400 Invalid scope: secrets:write is not allowed for this application"],
    [{ organization_slug: "nobody" }, "404 Organization not found"],
    [{ code_challenge: "short", code_challenge_method: "S256" }, "400 Invalid code_challenge: 43 characters"],
    [{ code_challenge: "short" }, "400 Invalid code_challenge: 43 to 128"],
    [{ code_challenge_method: "S256" }, "400 code_challenge_method without code_challenge"],
  ])("is refused with %j", (changed, said) => {
    expect(service.refusal("authorize", asked(register(), changed))).toContain(said);
    expect(pendingRequests(service.world)).toEqual([]);
  });

  it("of a public application needs a challenge", () => {
    const app = register({ isPublic: true });
    expect(app.clientSecret).toBe("");
    expect(service.refusal("authorize", asked(app))).toContain("400 Missing code_challenge");
    service.call("authorize", asked(app, { code_challenge: DIGEST, code_challenge_method: "S256" }));
    expect(pendingRequests(service.world)).toHaveLength(1);
  });
});

describe("the user's decision", () => {
  it("sends the browser back with code and state, beside what the address has", () => {
    const app = register();
    service.call("authorize", asked(app));
    const { searchParams, origin } = new URL(approve(service.world, { state: "s1" }).redirectTo);
    expect(origin).toBe("https://app.example");
    expect([...searchParams.keys()]).toEqual(["tenant", "code", "state"]);
    expect(searchParams.get("state")).toBe("s1");
    expect(pendingRequests(service.world)).toEqual([]);
  });

  it("comes in the fragment when that was asked for", () => {
    service.call("authorize", asked(register(), { response_mode: "fragment" }));
    const { hash } = new URL(approve(service.world, {}).redirectTo);
    expect(hash).toMatch(/^#code=oac_[0-9a-f]+&state=s1$/);
  });

  it("may be no", () => {
    service.call("authorize", asked(register()));
    const { searchParams } = new URL(deny(service.world, {}).redirectTo);
    expect(Object.fromEntries(searchParams)).toEqual({ tenant: "1", error: "access_denied", state: "s1" });
    expect(service.world.state.oauth.codes.size).toBe(0);
    expect(pendingRequests(service.world)).toEqual([]);
  });

  it("must say which request it means when there are several", () => {
    const app = register();
    service.call("authorize", asked(app));
    service.call("authorize", asked(app, { state: "s2" }));
    expect(() => approve(service.world, {})).toThrow("Several authorization requests are pending");
    expect(approve(service.world, { state: "s2" }).redirectTo).toContain("state=s2");
    const { id } = found(pendingRequests(service.world)[0]);
    expect(approve(service.world, { id }).redirectTo).toContain("state=s1");
  });

  it("may grant less than was asked for, never more", () => {
    const app = register();
    const code = codeFor(app, { scope: "projects:read secrets:read" }, { scopes: ["secrets:read"] });
    const issued = service.call("exchangeToken", { body: redemption(app, code) });
    expect(scopesOf(issued.access_token)).toEqual(["secrets:read"]);
    service.call("authorize", asked(app, { scope: "projects:read" }));
    expect(() => approve(service.world, { scopes: ["projects:write"] })).toThrow(
      "did not ask for the scope projects:write",
    );
  });

  it("keeps to the organization that was asked for", () => {
    service.call("createOrganization", { body: { name: "Globex" } });
    const app = register();
    service.call("authorize", asked(app, { organization_slug: "acme" }));
    expect(() => approve(service.world, { organizationSlug: "globex" })).toThrow(
      "asked for the organization acme",
    );
    expect(() => approve(service.world, { organizationSlug: "nobody" })).toThrow("Organization not found");
    approve(service.world, {});
    const [, approved] = service.world.state.oauth.authorizations.values();
    expect(approved).toMatchObject({ clientId: app.clientId, user: "owner", organizationSlug: "acme" });
  });
});

describe("a code", () => {
  it("gives tokens of the scopes that were approved", () => {
    const app = register();
    const issued = service.call("exchangeToken", {
      body: redemption(app, codeFor(app, { scope: "projects:read" })),
    });
    expect(issued).toMatchObject({ expires_in: 3600, token_type: "Bearer" });
    expect(scopesOf(issued.access_token)).toEqual(["projects:read"]);
    const refresh = { client_id: app.clientId, client_secret: app.clientSecret };
    const next = service.call("exchangeToken", { body: { ...refresh, refresh_token: issued.refresh_token } });
    expect(scopesOf(next.access_token)).toEqual(["projects:read"]);
  });

  it("is known without a grant_type as well", () => {
    const app = register();
    const body = redemption(app, codeFor(app));
    delete body.grant_type;
    expect(scopesOf(service.call("exchangeToken", { body }).access_token)).toHaveLength(3);
  });

  it("works once: a second use revokes what came of the first", () => {
    const app = register();
    const body = redemption(app, codeFor(app));
    const issued = service.call("exchangeToken", { body });
    expect(refusal(body)).toContain("400 Invalid code: already used");
    expect(findGrant(service.world, issued.access_token)).toBeUndefined();
    expect(refusal({ ...body, grant_type: "refresh_token", refresh_token: issued.refresh_token })).toContain(
      "400 Invalid refresh_token",
    );
    expect(refusal(body)).toContain("400 Invalid code: unknown");
  });

  it("expires after ten minutes", () => {
    const app = register();
    const [late, early] = [codeFor(app), codeFor(app)];
    service.advance(599);
    service.call("exchangeToken", { body: redemption(app, early) });
    service.advance(1);
    expect(refusal(redemption(app, late))).toBe("400 Invalid code: it has expired");
  });

  it("is refused with another address, application, secret or resource, and stays good after that", () => {
    const app = register();
    const other = register();
    const code = codeFor(app, { resource: "https://tools.example/mcp" });
    const attempts: [Form, string][] = [
      [{ redirect_uri: "https://app.example/" }, "400 Invalid redirect_uri"],
      [{ client_id: other.clientId, client_secret: other.clientSecret }, "400 Invalid code: unknown"],
      [{ client_secret: "wrong" }, "401 Invalid client_id or client_secret"],
      [{ client_secret: "" }, "401 Missing client_id or client_secret"],
      [{ code: "oac_0" }, "400 Invalid code: unknown"],
      [{ resource: "https://other.example" }, "400 Invalid resource"],
      [{ scope: "secrets:write" }, "400 Invalid scope: secrets:write was not approved"],
      [{ code_verifier: VERIFIER }, "400 Invalid code_verifier: there was no code_challenge"],
    ];
    for (const [changed, said] of attempts) expect(refusal(redemption(app, code, changed))).toContain(said);
    const resource = "https://tools.example/mcp";
    const { access_token } = service.call("exchangeToken", { body: redemption(app, code, { resource }) });
    expect(scopesOf(access_token)).toHaveLength(3);
  });

  it.each([
    ["plain", VERIFIER],
    [undefined, VERIFIER],
    ["S256", DIGEST],
    ["sha256", DIGEST],
  ] as const)("with a challenge by %s needs its verifier", (method, challenge) => {
    const app = register({ isPublic: true });
    const code = codeFor(app, {
      code_challenge: challenge,
      ...(method && { code_challenge_method: method }),
    });
    const body = redemption(app, code);
    delete body.client_secret;
    expect(refusal(body)).toBe("400 Missing code_verifier");
    expect(refusal({ ...body, code_verifier: `${VERIFIER}-other` })).toContain("400 Invalid code_verifier");
    expect(refusal({ ...body, client_secret: "made-up", code_verifier: VERIFIER })).toContain("401");
    const issued = service.call("exchangeToken", { body: { ...body, code_verifier: VERIFIER } });
    const { refresh_token } = issued;
    service.call("exchangeToken", { body: { client_id: app.clientId, refresh_token } });
  });
});

describe("a refresh token", () => {
  it("may be exchanged for fewer scopes, without losing the others", () => {
    const { clientId, clientSecret, refreshToken } = register();
    const client = { client_id: clientId, client_secret: clientSecret };
    const body = { ...client, refresh_token: refreshToken, scope: "secrets:read" };
    const narrow = service.call("exchangeToken", { body });
    expect(scopesOf(narrow.access_token)).toEqual(["secrets:read"]);
    const wide = service.call("exchangeToken", { body: { ...client, refresh_token: narrow.refresh_token } });
    expect(scopesOf(wide.access_token)).toHaveLength(3);
  });

  it("revokes its authorization with all tokens, even once it is used up", () => {
    const app = register();
    const client = { client_id: app.clientId, client_secret: app.clientSecret };
    const other = service.call("exchangeToken", { body: redemption(app, codeFor(app)) });
    const issued = service.call("exchangeToken", { body: { ...client, refresh_token: app.refreshToken } });
    service.call("revokeToken", { body: { ...client, refresh_token: app.refreshToken } });
    expect(findGrant(service.world, issued.access_token)).toBeUndefined();
    expect(refusal({ ...client, refresh_token: issued.refresh_token })).toContain(
      "400 Invalid refresh_token",
    );
    expect(scopesOf(other.access_token)).toHaveLength(3);
    // Once more does no harm, nor does one that never was.
    service.call("revokeToken", { body: { ...client, refresh_token: app.refreshToken } });
    service.call("revokeToken", { body: { ...client, refresh_token: "oar_0" } });
  });

  it("is not revoked by another application or without its secret", () => {
    const [app, other] = [register(), register()];
    const { refreshToken } = app;
    const revoke = (client_id: string, client_secret: string): string =>
      service.refusal("revokeToken", { body: { client_id, client_secret, refresh_token: refreshToken } });
    expect(revoke(other.clientId, other.clientSecret)).toContain(
      "400 Invalid refresh_token: it was issued to",
    );
    expect(revoke(app.clientId, "wrong")).toContain("401");
    expect(service.world.state.oauth.authorizations.size).toBe(2);
  });

  it("that was used is forgotten after a day, like codes and expired tokens", () => {
    const app = register();
    const client = { client_id: app.clientId, client_secret: app.clientSecret };
    const { refresh_token } = service.call("exchangeToken", { body: redemption(app, codeFor(app)) });
    service.call("exchangeToken", { body: { ...client, refresh_token } });
    service.advance(26 * 3_600);
    service.call("exchangeToken", { body: { ...client, refresh_token: app.refreshToken } });
    const { codes, accessTokens, refreshTokens } = service.world.state.oauth;
    expect([codes.size, accessTokens.size]).toEqual([0, 1]);
    expect([...refreshTokens.values()].filter(({ usedAt }) => usedAt === null)).toHaveLength(2);
    expect(refreshTokens.size).toBe(3);
  });
});

describe("a project claim", () => {
  const claimOf = (
    app: OAuthAppCredentials,
    ref: string,
  ): OperationParameters<Operations["authorizeProjectClaim"]> => ({
    ...asked(app),
    project_ref: ref,
  });

  it("moves the project with its branches to the organization that the user chooses", () => {
    const ref = service.healthyProject();
    const other = service.newProject("other");
    const branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    service.call("createOrganization", { body: { name: "Globex" } });
    const app = register();
    service.call("authorizeProjectClaim", claimOf(app, ref));
    expect(pendingRequests(service.world)).toMatchObject([{ projectRef: ref, user: "owner" }]);
    expect(() => approve(service.world, {})).toThrow("A claim needs the organization");
    expect(() => approve(service.world, { organizationSlug: "acme" })).toThrow(
      "belongs to the organization acme",
    );
    expect(service.projectRecord(ref).organizationSlug).toBe("acme");

    const { redirectTo } = approve(service.world, { organizationSlug: "globex" });
    // An organization's id is its slug (service, Organizations).
    const claimed = { organization_id: "globex", organization_slug: "globex" };
    expect(service.call("getProject", { ref })).toMatchObject(claimed);
    expect(service.call("listProjects", {}).find((project) => project.ref === ref)).toMatchObject(claimed);
    expect(service.projectRecord(branch.project_ref).organizationSlug).toBe("globex");
    expect(service.call("getProject", { ref: other })).toMatchObject({
      organization_id: "acme",
      organization_slug: "acme",
    });
    const code = new URL(redirectTo).searchParams.get("code") ?? "";
    const { access_token } = service.call("exchangeToken", { body: redemption(app, code) });
    expect(findGrant(service.world, access_token)).toMatchObject({ organizationSlug: "globex" });
  });

  it("is refused for what is no project, and changes nothing when it is denied", () => {
    const app = register();
    expect(service.refusal("authorizeProjectClaim", claimOf(app, "z".repeat(20)))).toBe(
      "404 Project not found",
    );
    const ref = service.healthyProject();
    service.call("authorizeProjectClaim", claimOf(app, ref));
    deny(service.world, {});
    expect(service.projectRecord(ref).organizationSlug).toBe("acme");
  });

  it("comes to nothing when the project is gone before the user decides", () => {
    service.call("createOrganization", { body: { name: "Globex" } });
    const ref = service.healthyProject();
    service.call("authorizeProjectClaim", claimOf(register(), ref));
    service.call("deleteProject", { ref });
    service.advance(60);
    expect(() => approve(service.world, { organizationSlug: "globex" })).toThrow("Resource has been removed");
    expect(service.world.state.oauth.codes.size).toBe(0);
  });
});

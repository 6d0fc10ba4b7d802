import { createHash } from "node:crypto";
import { z } from "zod";
import { authorize } from "../../../spec/operations/oauth";
import { defineFunction } from "../../define/function";
import { formed, secret } from "../../define/markers";
import { presentFields } from "../answers";
import { organizationSlug } from "../../define/shared-arguments";

const { client_id: clientId, response_type: responseType } = authorize.query.shape;

const inputs = z.strictObject({
  clientId: formed(clientId, "a UUID", "0f8fad5b-d9cb-469f-a165-70867728950e").describe(
    "Identifier of the OAuth application, a UUID.",
  ),
  redirectUri: z
    .string()
    .min(1)
    .describe("Address to which the service sends the person back, as it is registered for the application."),
  scopes: z
    .array(formed(z.string().regex(/^[^\s]+$/), "a scope without spaces", "projects:read"))
    .describe("Scopes to ask for, such as `projects:read`; by default all that the application may have.")
    .optional(),
  state: z
    .string()
    .describe("Text that comes back with the person, by which the application recognizes its own requests.")
    .optional(),
  codeVerifier: secret(
    formed(
      z.string().regex(/^[\w.~-]{43,128}$/),
      "43 to 128 letters, digits, `-`, `.`, `_` and `~`",
      "nZ4vPq0tR7yWc2xKj9sLh5mDf8gBa3eUo6iTl1kNwQz",
    ),
  )
    .describe(
      "Secret of the program for PKCE: 43 to 128 random letters, digits, `-`, `.`, `_` and `~`. The address carries only its SHA-256; whoever exchanges the code proves with the secret itself that the request was theirs. Without it, PKCE is not used, which the service allows applications with a client secret only.",
    )
    .optional(),
  organizationSlug: organizationSlug
    .describe("Slug of the organization that is proposed to the person; by default the person chooses.")
    .optional(),
  responseType: responseType
    .meta({ id: "OAuthResponseType", description: "What an authorization brings back." })
    .describe("What the authorization brings back; by default `code`.")
    .optional(),
  responseMode: z
    .string()
    .min(1)
    .describe("How it is brought back, such as `query` or `fragment`; by default as the service chooses.")
    .optional(),
  resource: formed(z.url(), "a URL", "https://mcp.example.com/")
    .describe("Resource for which the tokens are meant, by its URL.")
    .optional(),
});

const outputs = z.object({
  url: z
    .string()
    .describe(
      "The address. It holds no secret; where `codeVerifier` is one, Pulumi takes the result for a secret too, and `unsecret` makes it readable.",
    ),
  codeChallenge: z
    .string()
    .describe("The SHA-256 of `codeVerifier` in Base64url, which the address carries.")
    .optional(),
});

/** Where a person authorizes an OAuth application. */
export const getAuthorizeUrl = defineFunction({
  name: "getAuthorizeUrl",
  description:
    "Makes the address at which a person authorizes an OAuth application in a browser, with PKCE. It calls nothing, and answers the same for the same arguments.",
  inputs,
  outputs,
  run: (
    ctx,
    { clientId: client_id, redirectUri: redirect_uri, responseType: response_type = "code", ...given },
  ) => {
    const { codeVerifier, scopes, state, organizationSlug: slug, responseMode, resource } = given;
    const codeChallenge =
      codeVerifier === undefined ? undefined : createHash("sha256").update(codeVerifier).digest("base64url");
    const query = presentFields({
      client_id,
      response_type,
      redirect_uri,
      scope: scopes?.join(" "),
      state,
      response_mode: responseMode,
      code_challenge: codeChallenge,
      code_challenge_method: codeChallenge === undefined ? undefined : ("S256" as const),
      organization_slug: slug,
      resource,
    });
    return Promise.resolve({
      url: ctx.api.addressOf("authorize", query),
      ...presentFields({ codeChallenge }),
    });
  },
});

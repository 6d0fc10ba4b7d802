import { createHash } from "node:crypto";
import { z } from "zod";
import { authorize } from "../../../spec/operations/oauth";
import { defineFunction } from "../../define/function";
import { openEnum } from "../../define/open-values";
import { formed, secret } from "../../define/markers";
import { pickPresentFields } from "../answers";
import { organizationSlug } from "../../define/shared-arguments";

const { client_id: clientId, response_type: responseType } = authorize.query.shape;

const inputs = z.strictObject({
  clientId: formed(clientId, "a UUID", "0f8fad5b-d9cb-469f-a165-70867728950e").describe(
    "Identifier of the OAuth application, a UUID.",
  ),
  redirectUri: z.string().min(1).describe("Redirect address, as registered for the application."),
  scopes: z
    .array(formed(z.string().regex(/^[^\s]+$/), "a scope without spaces", "projects:read"))
    .describe("Scopes to request, such as `projects:read`. Default: all scopes of the application.")
    .optional(),
  state: z
    .string()
    .describe(
      "State parameter: text that the redirect returns, so that the application can recognize its own requests.",
    )
    .optional(),
  codeVerifier: secret(
    formed(
      z.string().regex(/^[\w.~-]{43,128}$/),
      "43 to 128 letters, digits, `-`, `.`, `_` and `~`",
      "nZ4vPq0tR7yWc2xKj9sLh5mDf8gBa3eUo6iTl1kNwQz",
    ),
  )
    .describe(
      "PKCE code verifier: 43 to 128 random letters, digits, `-`, `.`, `_` and `~`. The address contains only its SHA-256. The exchange of the code needs the verifier itself. Without it, PKCE is not used, which the service allows only for applications with a client secret.",
    )
    .optional(),
  organizationSlug: organizationSlug
    .describe("Slug of the organization to preselect. Default: the user chooses.")
    .optional(),
  responseType: openEnum(responseType.meta({ id: "OAuthResponseType", description: "OAuth response type." }))
    .describe("OAuth response type. Default: `code`.")
    .optional(),
  responseMode: z
    .string()
    .min(1)
    .describe("OAuth response mode, such as `query` or `fragment`. Default: the service's choice.")
    .optional(),
  resource: formed(z.url(), "a URL", "https://mcp.example.com/")
    .describe("URL of the resource for which the tokens are intended.")
    .optional(),
});

const outputs = z.object({
  url: z
    .string()
    .describe(
      "The address. It contains no secret. If `codeVerifier` is a Pulumi secret, so is the result; use `unsecret` to read it.",
    ),
  codeChallenge: z.string().describe("SHA-256 of `codeVerifier` in Base64url, as in the address.").optional(),
});

/** Where a person authorizes an OAuth application. */
export const getAuthorizeUrl = defineFunction({
  name: "getAuthorizeUrl",
  description:
    "Builds the address at which a user authorizes an OAuth application in a browser, with PKCE. It makes no calls and always returns the same result for the same arguments.",
  inputs,
  outputs,
  run: (
    ctx,
    { clientId: client_id, redirectUri: redirect_uri, responseType: response_type = "code", ...given },
  ) => {
    const { codeVerifier, scopes, state, organizationSlug: slug, responseMode, resource } = given;
    const codeChallenge =
      codeVerifier === undefined ? undefined : createHash("sha256").update(codeVerifier).digest("base64url");
    const query = pickPresentFields({
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
      ...pickPresentFields({ codeChallenge }),
    });
  },
});

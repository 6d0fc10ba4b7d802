import { z } from "zod";
import { differences } from "../../../define/compare";
import { formed, identifies, replaces } from "../../../define/markers";
import type { CheckFailure, Observed } from "../../../define/resource";
import type { Integration } from "./calls";
import { problems } from "./problems";

const EXACTLY_ONE = "Exactly one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is required.";

const https = z.url({ protocol: /^https$/ });

const keySet = z
  .strictObject({
    keys: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .describe("Public keys, each a JSON Web Key with its `kty`."),
  })
  .meta({ id: "JsonWebKeySet", description: "A JSON Web Key Set of public keys." });

/** Where the keys of the third party are found. */
export const sources = {
  oidcIssuerUrl: identifies(
    replaces(
      formed(https, "an `https` address", "https://idp.example.com").describe(
        `\`https\` URL of the OpenID Connect issuer, whose discovery document names its keys. ${EXACTLY_ONE}`,
      ),
    ),
  ).optional(),
  jwksUrl: identifies(
    replaces(
      formed(https, "an `https` address", "https://idp.example.com/.well-known/jwks.json").describe(
        `\`https\` URL of the third party's JSON Web Key Set. ${EXACTLY_ONE}`,
      ),
    ),
  ).optional(),
  customJwks: identifies(
    replaces(keySet.describe(`The third party's public keys as a JSON Web Key Set. ${EXACTLY_ONE}`)),
  ).optional(),
};

type Sources = Partial<z.output<z.ZodObject<typeof sources>>>;
type SourceName = keyof typeof sources;

const names: readonly SourceName[] = ["oidcIssuerUrl", "jwksUrl", "customJwks"];

export function sourceFailures(declared: Sources, isUnknown: (name: SourceName) => boolean): CheckFailure[] {
  const given = names.filter((name) => declared[name] !== undefined);
  const failures = keyFailures(declared.customJwks);
  const [, second] = given;
  if (second !== undefined) failures.push({ path: second, reason: problems.severalSources.message() });
  if (given.length === 0 && !names.some(isUnknown)) {
    failures.push({
      path: "oidcIssuerUrl",
      reason: "one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is needed, but none is given",
    });
  }
  return failures;
}

/** The service shows the keys to everybody who may read the configuration: what is private must not get there. */
function keyFailures(keys: Sources["customJwks"]): CheckFailure[] {
  return (keys?.keys ?? []).flatMap((key, index) => {
    const path = `customJwks.keys[${index}]`;
    if (key["kty"] === "oct" || "k" in key) return [{ path, reason: problems.sharedSecret.message() }];
    return "d" in key ? [{ path, reason: problems.privateKey.message() }] : [];
  });
}

/** Nothing where the service shows none of the three, as each integration has one. */
export function sourceIn(record: Integration): Observed<Sources, object>["inputs"] {
  const { oidc_issuer_url: oidcIssuerUrl = null, jwks_url: jwksUrl = null, custom_jwks } = record;
  const customJwks = keySetIn(custom_jwks);
  const isShown = oidcIssuerUrl !== null || jwksUrl !== null || customJwks !== null;
  return isShown ? { oidcIssuerUrl, jwksUrl, customJwks } : {};
}

function keySetIn(jwks: unknown): Sources["customJwks"] | null {
  const parsed = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).safeParse(jwks);
  return parsed.success ? parsed.data : null;
}

export function isSameSource(seen: Observed<Sources, object>["inputs"], declared: Sources): boolean {
  return names.some(
    (name) =>
      declared[name] !== undefined && differences(sources[name], seen[name], declared[name]).length === 0,
  );
}

export function labelOf({ oidc_issuer_url, jwks_url, inserted_at }: Integration): string {
  return `${oidc_issuer_url ?? jwks_url ?? "keys that were given"}, made ${inserted_at ?? "at an unknown time"}`;
}

import { z } from "zod";
import { defineProblem } from "../../../client/errors/problem";
import { listDifferingPaths } from "../../../define/compare";
import type { Api, Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { formed, identifies, replacesWhenTargeted, stable } from "../../../define/markers";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, type CheckFailure, type ObservedResource } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { callWhenReady } from "../../../waiting/project-health";

const EXACTLY_ONE = "Exactly one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is required.";

const DELETES = "the integration whose users sign in, whoever set where its keys are";

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
const sources = {
  oidcIssuerUrl: identifies(
    replacesWhenTargeted(
      formed(https, "an `https` address", "https://idp.example.com").describe(
        `\`https\` URL of the OpenID Connect issuer. Its discovery document leads to its keys. ${EXACTLY_ONE}`,
      ),
      DELETES,
    ),
  ).optional(),
  jwksUrl: identifies(
    replacesWhenTargeted(
      formed(https, "an `https` address", "https://idp.example.com/.well-known/jwks.json").describe(
        `\`https\` URL of the third party's JSON Web Key Set. ${EXACTLY_ONE}`,
      ),
      DELETES,
    ),
  ).optional(),
  customJwks: identifies(
    replacesWhenTargeted(
      keySet.describe(`The third party's public keys as a JSON Web Key Set. ${EXACTLY_ONE}`),
      DELETES,
    ),
  ).optional(),
};

const inputs = z.strictObject({ projectRef, ...sources, ...everyResource });

// Without the time of the last change: the service moves it whenever it looks for keys.
const outputs = z.object({
  type: stable(z.string().describe("Kind of the integration, in the service's words.")),
  resolvedJwks: z
    .record(z.string(), z.unknown())
    .describe("Keys that the service found last. The service updates them; this is not drift.")
    .optional(),
  resolvedAt: z
    .string()
    .describe("Time at which the service found them, ISO 8601. The service updates it; this is not drift.")
    .optional(),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Body = Parameters<typeof createIntegration>[2];

function toBody({ oidcIssuerUrl, jwksUrl, customJwks }: Inputs): Body {
  if (oidcIssuerUrl !== undefined) return { oidc_issuer_url: oidcIssuerUrl };
  return jwksUrl === undefined ? { custom_jwks: customJwks } : { jwks_url: jwksUrl };
}

/** An integration as the service shows it. */
type IntegrationRecord = Awaited<ReturnType<Api["listThirdPartyAuth"]>>[number];

export function fromWire(record: IntegrationRecord): ObservedResource<Inputs, Outputs> {
  const { resolved_jwks: found } = record;
  return {
    inputs: parseSource(record),
    outputs: {
      type: record.type ?? undefined,
      resolvedJwks: typeof found === "object" && found !== null ? { ...found } : undefined,
      resolvedAt: record.resolved_at ?? undefined,
      createdAt: record.inserted_at ?? undefined,
    },
  };
}

const problems = {
  severalSources: defineProblem({
    says: "`oidcIssuerUrl`, `jwksUrl` and `customJwks` cannot be combined",
    means: "Several of them are declared.",
    remedy: "Keep one, and declare another resource for each of the others",
  }),
  privateKey: defineProblem({
    says: "this is a private key, which the service would publish: {remedy}",
    means: "A key in `customJwks` contains its private half (`d`).",
    remedy: "Declare only its public half, without `d`. If it was ever sent, treat the key as exposed",
  }),
  neverResolved: defineProblem({
    says: "The service was seen to take keys that are given by `customJwks` and never to use them: {remedy}.",
    means: "Warning. The keys of such an integration were not resolved within minutes, in each trial.",
    remedy:
      "Check that a token of the third party is accepted, or serve the keys and declare their `jwksUrl`",
  }),
  sharedSecret: defineProblem({
    says: "this is a shared secret, which the service would publish: {remedy}",
    means: "A key in `customJwks` is a shared secret (`oct`).",
    remedy: "Let the third party sign with a key pair, and declare the public key",
  }),
};

/** An issuer of tokens besides the project itself. */
export const thirdPartyAuth = defineResource({
  type: "ThirdPartyAuth",
  description:
    "A third party whose tokens a project accepts. Its keys come from its issuer, from a URL or from the program. A change is refused, because the replacement would delete the present integration. To replace it, run `pulumi up --target-replace <urn>`, which creates the new one first.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  uniqueBy: ["oidcIssuerUrl", "jwksUrl", "customJwks"],
  labelledBy: "oidcIssuerUrl",
  createsDuplicates: () => true,
  importId: inProject("thirdPartyAuthId", "the project's authentication settings in the service's console"),
  list: listInProject(
    async (ctx, ref) =>
      Array.from((await listIntegrationsOnce(ctx, ref)).values(), (each) => ({
        id: each.id,
        name: formatIntegration(each),
      })),
    UUID,
  ),
  problems,

  check: (declared, isUnknown) => ({ failures: checkSources(declared, isUnknown) }),

  async find(ctx, declared) {
    const integrations = [...(await listIntegrationsOnce(ctx, declared.projectRef)).values()];
    return integrations
      .filter((each) => isSameSource(fromWire(each).inputs, declared))
      .map((each) => ({
        id: each.id,
        label: formatIntegration(each),
        createdAt: each.inserted_at ?? undefined,
      }));
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = (await listIntegrationsOnce(ctx, ref)).get(id);
    if (record === undefined) return undefined;
    const observed = fromWire(record);
    return { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  async create(ctx, declared) {
    const made = await createIntegration(ctx, declared.projectRef, toBody(declared));
    if (declared.customJwks !== undefined && made.resolved_jwks == null)
      ctx.warn(problems.neverResolved.message());
    return { id: made.id, outputs: fromWire(made).outputs };
  },

  async delete(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const send = (): Promise<unknown> => ctx.api.deleteThirdPartyAuth({ ref, tpa_id: id });
    await callWhenReady(ctx, ref, ["auth"], send).finally(() => forgetIntegrations(ctx, ref));
  },
});

type IntegrationSources = Partial<z.output<z.ZodObject<typeof sources>>>;
type IntegrationSourceName = keyof typeof sources;

const names: readonly IntegrationSourceName[] = ["oidcIssuerUrl", "jwksUrl", "customJwks"];

function checkSources(
  declared: IntegrationSources,
  isUnknown: (name: IntegrationSourceName) => boolean,
): CheckFailure[] {
  const given = names.filter((name) => declared[name] !== undefined);
  const failures = checkKeys(declared.customJwks);
  const [, second] = given;
  if (second !== undefined) failures.push({ path: second, reason: problems.severalSources.message() });
  if (given.length === 0 && !names.some(isUnknown)) {
    failures.push({
      path: "oidcIssuerUrl",
      reason: "one of `oidcIssuerUrl`, `jwksUrl` and `customJwks` is required",
    });
  }
  return failures;
}

/** The service shows the keys to everybody who may read the configuration: what is private must not get there. */
function checkKeys(keys: IntegrationSources["customJwks"]): CheckFailure[] {
  return (keys?.keys ?? []).flatMap((key, index) => {
    const path = `customJwks.keys[${index}]`;
    if (key["kty"] === "oct" || "k" in key) return [{ path, reason: problems.sharedSecret.message() }];
    return "d" in key ? [{ path, reason: problems.privateKey.message() }] : [];
  });
}

/** Nothing where the service shows none of the three, as each integration has one. */
function parseSource(record: IntegrationRecord): ObservedResource<IntegrationSources, object>["inputs"] {
  const { oidc_issuer_url: oidcIssuerUrl = null, jwks_url: jwksUrl = null, custom_jwks } = record;
  const customJwks = parseKeySet(custom_jwks);
  const isShown = oidcIssuerUrl !== null || jwksUrl !== null || customJwks !== null;
  return isShown ? { oidcIssuerUrl, jwksUrl, customJwks } : {};
}

function parseKeySet(jwks: unknown): IntegrationSources["customJwks"] | null {
  const parsed = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).safeParse(jwks);
  return parsed.success ? parsed.data : null;
}

function isSameSource(
  seen: ObservedResource<IntegrationSources, object>["inputs"],
  declared: IntegrationSources,
): boolean {
  return names.some(
    (name) =>
      declared[name] !== undefined &&
      listDifferingPaths(sources[name], seen[name], declared[name]).length === 0,
  );
}

export function formatIntegration({ oidc_issuer_url, jwks_url, inserted_at }: IntegrationRecord): string {
  return `${oidc_issuer_url ?? jwks_url ?? "declared keys"}, created ${inserted_at ?? "at an unknown time"}`;
}

const listKey = (ref: string): string => `third-party-auth:${ref}`;

/** A project's integrations by id: listed once in a run; what is made since is added, so that a create lists nothing again. */
export async function listIntegrationsOnce(
  ctx: Context,
  ref: string,
): Promise<Map<string, IntegrationRecord>> {
  return ctx.shared.list(listKey(ref), async () => {
    const listed = await ctx.api.listThirdPartyAuth({ ref });
    return new Map(listed.map((each) => [each.id, each]));
  });
}

type IntegrationCreateBody = Parameters<Api["createThirdPartyAuth"]>[0]["body"];

async function createIntegration(
  ctx: Context,
  ref: string,
  body: IntegrationCreateBody,
): Promise<IntegrationRecord> {
  try {
    const made = await callWhenReady(ctx, ref, ["auth"], () => ctx.api.createThirdPartyAuth({ ref, body }));
    // A listing that fails now is asked for again by whoever needs it.
    await listIntegrationsOnce(ctx, ref).then(
      (integrations) => integrations.set(made.id, made),
      () => undefined,
    );
    return made;
  } catch (error) {
    forgetIntegrations(ctx, ref);
    throw error;
  }
}

function forgetIntegrations(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

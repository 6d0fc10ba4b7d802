import { z } from "zod";
import { whenReady } from "../../../waiting/project-health";
import { startingCalls } from "../../../waiting/starting-calls";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { stable } from "../../../define/markers";
import { projectOf } from "../../../define/project-of";
import { defineResource, type Observed } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { createIntegration, forgetIntegrations, integrationsOf, type Integration } from "./calls";
import { problems } from "./problems";
import { isSameSource, labelOf, sourceIn, sourceFailures, sources } from "./sources";

const inputs = z.strictObject({ projectRef, ...sources, ...everyResource });

// Without the time of the last change: the service moves it whenever it looks for keys.
const outputs = z.object({
  type: stable(z.string().describe("Kind of the integration, as the service names it.")),
  resolvedJwks: z
    .record(z.string(), z.unknown())
    .describe("Keys that the service found last. They change by themselves, which is no drift.")
    .optional(),
  resolvedAt: z
    .string()
    .describe("Time at which the service found them, ISO 8601. It changes by itself, which is no drift.")
    .optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;
type Body = Parameters<typeof createIntegration>[2];

function toBody({ oidcIssuerUrl, jwksUrl, customJwks }: Inputs): Body {
  if (oidcIssuerUrl !== undefined) return { oidc_issuer_url: oidcIssuerUrl };
  return jwksUrl === undefined ? { custom_jwks: customJwks } : { jwks_url: jwksUrl };
}

export function fromWire(record: Integration): Observed<Inputs, Outputs> {
  const { resolved_jwks: found } = record;
  return {
    inputs: sourceIn(record),
    outputs: {
      type: record.type ?? undefined,
      resolvedJwks: typeof found === "object" && found !== null ? { ...found } : undefined,
      resolvedAt: record.resolved_at ?? undefined,
      createdAt: record.inserted_at ?? undefined,
    },
  };
}

/** An issuer of tokens besides the project itself. */
export const thirdPartyAuth = defineResource({
  type: "ThirdPartyAuth",
  description:
    "A third party whose tokens a project accepts. Its keys are found by the issuer, by a URL, or given. The service cannot change one, so every change replaces it: the new one is made first.",
  inputs,
  outputs,
  timeouts: { create: 300, update: 300, delete: 300 },
  uniqueBy: ["oidcIssuerUrl", "jwksUrl", "customJwks"],
  labelledBy: "oidcIssuerUrl",
  importId: inProject("thirdPartyAuthId", "the project's authentication settings in the service's console"),
  list: listInProject(async (ctx, ref) =>
    Array.from((await integrationsOf(ctx, ref)).values(), (each) => ({ id: each.id, name: labelOf(each) })),
  ),
  problems,
  conditionalCalls: startingCalls("create", "delete"),

  check: (declared, isUnknown) => ({ failures: sourceFailures(declared, isUnknown) }),

  async find(ctx, declared) {
    const integrations = [...(await integrationsOf(ctx, declared.projectRef)).values()];
    return integrations
      .filter((each) => isSameSource(fromWire(each).inputs, declared))
      .map((each) => ({ id: each.id, label: labelOf(each), createdAt: each.inserted_at ?? undefined }));
  },

  async read(ctx, { id, state }) {
    const ref = projectOf(state);
    const record = (await integrationsOf(ctx, ref)).get(id);
    if (record === undefined) return undefined;
    const observed = fromWire(record);
    return { ...observed, inputs: { ...observed.inputs, projectRef: ref } };
  },

  async create(ctx, declared) {
    const made = await createIntegration(ctx, declared.projectRef, toBody(declared));
    return { id: made.id, outputs: fromWire(made).outputs };
  },

  async delete(ctx, { id, state }) {
    const ref = projectOf(state);
    const send = (): Promise<unknown> => ctx.api.deleteThirdPartyAuth({ ref, tpa_id: id });
    await whenReady(ctx, ref, ["auth"], send).finally(() => forgetIntegrations(ctx, ref));
  },
});

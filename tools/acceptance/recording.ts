import { z } from "zod";
import { resourceByType } from "../../provider/catalog/catalog";
import { listSecretNames } from "../../provider/define/markers";
import { operations, type OperationName } from "../../spec/table";
import type { Exchange } from "./exchange";
import { maskExchanges } from "./mask";
import { renamed } from "./own-objects";
import type { AcceptanceResult, Wanted } from "./session";
import { projectSubject } from "./subjects/base";
import { BY_HAND, type TrialContext } from "./subjects/subject";

/** What a run leaves: everything that was said, without secrets and identities. */
export interface Recording {
  readonly plan?: string | undefined;
  readonly region: string;
  /** The resource types that were tried, beside the project. */
  readonly types: readonly string[];
  readonly exchanges: readonly Exchange[];
}

const place = { type: z.string(), step: z.string() };

/** The file of a recording. */
export const recordingFile: z.ZodType<Recording> = z.strictObject({
  plan: z.string().optional(),
  region: z.string(),
  types: z.array(z.string()),
  exchanges: z.array(
    z.strictObject({
      ...place,
      operation: z.custom<OperationName>(
        (name) => typeof name === "string" && Object.hasOwn(operations, name),
      ),
      method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
      path: z.string(),
      query: z.record(z.string(), z.string()),
      sent: z.unknown().optional(),
      status: z.int(),
      answer: z.unknown().optional(),
    }),
  ),
});

/** `secrets` are those with which the run reached the service. */
export function recordingOf(result: AcceptanceResult, wanted: Wanted, secrets: readonly string[]): Recording {
  const { organization, projectName, hostname, region, dbPass } = wanted;
  const named = new Map<string, string>([
    [organization, "<organization>"],
    [projectName, "<project>"],
    [renamed(projectName), "<project-renamed>"],
    [dbPass, "<password>"],
    ...(hostname === undefined ? [] : [[hostname, "<hostname>"] as const]),
    ...(result.organizationName === undefined
      ? []
      : [[result.organizationName, "<organization-name>"] as const]),
    ...secrets.map((secret) => [secret, "<access-token>"] as const),
  ]);
  const texts = new Set([BY_HAND, region]);
  // The inputs do not depend on which project it is, but for its reference and what was found; none calls the service.
  const context = { ...wanted, ref: "", folder: "", plan: result.plan, found: {} } as unknown as TrialContext;
  for (const { type, inputs, again = inputs } of [projectSubject, ...wanted.subjects]) {
    const secret = listSecretNames(resourceByType(type).inputs);
    const all = [...Object.entries(inputs(context)), ...Object.entries(again(context))];
    for (const [name, value] of all) {
      for (const text of textsIn(value)) {
        if (!secret.includes(name)) texts.add(text);
        else if (!named.has(text)) named.set(text, "<secret>");
      }
    }
  }
  const exchanges = maskExchanges(result.exchanges, { named, texts });
  return {
    plan: result.plan,
    region,
    types: result.outcomes
      .filter(({ type, leftOut }) => type !== projectSubject.type && leftOut === undefined)
      .map(({ type }) => type),
    exchanges: withoutRepetitions(exchanges),
  };
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Polls that got the same answer again say nothing new. */
function withoutRepetitions(exchanges: readonly Exchange[]): Exchange[] {
  const seen = new Set<string>();
  const kept = exchanges.toReversed().filter((exchange) => {
    const key = JSON.stringify(exchange);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.reverse();
}

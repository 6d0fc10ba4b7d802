import { addOrganization, type OrganizationSeed, type StateSeed } from "../../service/create-state";
import type { ProjectSeed } from "./seed-schema";
import type { WorldState } from "../../service/world/state";
import { issueToken, newToken, type TokenSeed } from "../../service/access/tokens";

/** What exists when the emulator starts, and again after a reset. */
export interface EmulatorSeed {
  readonly organizations?: readonly OrganizationSeed[];
  readonly tokens?: readonly TokenSeed[];
  /** With what is in them; they have settled when the emulator starts. */
  readonly projects?: readonly ProjectSeed[];
}

/** A seed in which nothing is left to chance, so that a reset leads back to the very same. */
export interface FixedSeed extends StateSeed {
  readonly tokens: readonly [FixedToken, ...FixedToken[]];
  /** Absent in what an older emulator kept. */
  readonly projects?: readonly ProjectSeed[];
}

type FixedToken = TokenSeed & { readonly token: string };

/** What exists unless the seed says otherwise: whoever pays and who does not are treated differently (service, Compute size). */
const DEFAULT_ORGANIZATIONS: readonly OrganizationSeed[] = [
  { slug: "acme", name: "Acme", plan: "pro" },
  { slug: "hobby", name: "Hobby", plan: "free" },
];

/** What a start asks for: what exists, and of which kind the service is. */
export type SeedRequest = EmulatorSeed & Pick<StateSeed, "service" | "newer" | "microIsAddon">;

/** What `wanted` leaves open is as it was `before`, and otherwise the default organizations and one token. */
export function fixSeed(wanted: SeedRequest, before: FixedSeed | undefined): FixedSeed {
  const [first, ...others] = (wanted.tokens ?? []).map(fixToken);
  return {
    organizations: wanted.organizations ?? before?.organizations ?? DEFAULT_ORGANIZATIONS,
    tokens: first === undefined ? (before?.tokens ?? [fixToken({})]) : [first, ...others],
    projects: wanted.projects ?? before?.projects ?? [],
    service: wanted.service ?? before?.service ?? "current",
    newer: wanted.newer ?? before?.newer ?? false,
    microIsAddon: wanted.microIsAddon ?? before?.microIsAddon ?? false,
  };
}

/** Adds what `wanted` names to a state that goes on, and leaves what is there. */
export function addMissing(state: WorldState, wanted: SeedRequest, seed: FixedSeed): void {
  for (const organization of wanted.organizations ?? []) {
    if (!state.organizations.has(organization.slug)) addOrganization(state, organization, seed);
  }
  const { microIsAddon } = wanted;
  if (microIsAddon !== undefined) {
    for (const organization of state.organizations.values()) organization.microIsAddon = microIsAddon;
  }
  if (wanted.service !== undefined) state.service = wanted.service;
  if (wanted.newer !== undefined) state.newer = wanted.newer;
  if (wanted.tokens === undefined) return;
  for (const token of seed.tokens) if (!state.accessTokens.has(token.token)) issueToken(state, token);
}

function fixToken(seed: TokenSeed): FixedToken {
  return { ...seed, token: seed.token ?? newToken() };
}

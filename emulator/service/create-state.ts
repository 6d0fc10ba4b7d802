import { DEFAULT_USER, issueToken, type TokenSeed } from "./access/tokens";
import { newAuthBehaviour } from "./world/records/auth";
import { newOAuthRecords } from "./world/records/oauth";
import { newOrganization, type OrganizationPlan } from "./world/records/organization";
import type { ServiceVersion, WorldState } from "./world/state";

export interface StateSeed {
  readonly organizations: readonly OrganizationSeed[];
  readonly tokens?: readonly TokenSeed[];
  /** How it behaves; as measured when absent. */
  readonly service?: ServiceVersion;
  /** Whether it is a newer service; not when absent. */
  readonly newer?: boolean;
  /** Whether micro shows as an add-on in every organization; not when absent. */
  readonly microIsAddon?: boolean;
}

/** How many functions a project has at most, by plan; null for any number (service, Entitlements). */
const functionQuotas: Readonly<Record<ServiceVersion, WorldState["functionQuotas"]>> = {
  current: { free: 100, pro: 1_000, team: 2_000, enterprise: null, platform: null },
  "2026-06": { free: 100, pro: 500, team: 1_000, enterprise: null, platform: null },
};

export interface OrganizationSeed {
  readonly slug: string;
  readonly name: string;
  /** `pro` when absent. */
  readonly plan?: OrganizationPlan;
}

/** A service in which only the given organizations and tokens exist. */
export function createState(seed: StateSeed): WorldState {
  const service = seed.service ?? "current";
  const state = {
    ...emptyState(),
    service,
    functionQuotas: { ...functionQuotas[service] },
    newer: seed.newer ?? false,
  };
  for (const organization of seed.organizations) addOrganization(state, organization, seed);
  for (const token of seed.tokens ?? []) issueToken(state, token);
  return state;
}

function emptyState(): WorldState {
  return {
    organizations: new Map(),
    projects: new Map(),
    branches: new Map(),
    accessTokens: new Map(),
    oauth: newOAuthRecords(),
    snippets: new Map(),
    dnsTxt: new Map(),
    samlMetadata: new Map(),
    functionQuotas: { ...functionQuotas.current },
    activeProjectQuotas: { free: 2, pro: null, team: null, enterprise: null, platform: null },
    // service, Signing keys: every other move is refused. A standby key must be revocable, or it could never be deleted.
    signingKeyMoves: {
      standby: ["in_use", "revoked"],
      in_use: [],
      previously_used: ["standby", "revoked"],
      revoked: ["standby"],
    },
    auth: newAuthBehaviour(),
    service: "current",
    newer: false,
    ssoNestedIdsOmitted: false,
    newerOperationsOffered: true,
    branchCredentialsShown: true,
    migrationPartners: null,
    idleBranchPauseMs: 7 * 24 * 3_600_000,
    postgresSizesNormalised: false,
    settingsRestartDatabase: false,
    loginRoleSeconds: 300,
    changesApplyLater: false,
    jitAccessShowsState: false,
    regionsFullFrom: { "eu-central-2": "24xlarge", "ap-east-1": "8xlarge", "sa-east-1": "48xlarge" },
    configurationLinted: false,
    lastProjectNumber: 0,
  };
}

export function addOrganization(
  state: WorldState,
  { slug, name, plan = "pro" }: OrganizationSeed,
  { microIsAddon = false }: Pick<StateSeed, "microIsAddon"> = {},
): void {
  const made = newOrganization({ slug, name, plan }, DEFAULT_USER);
  state.organizations.set(slug, { ...made, microIsAddon });
}

import type { z } from "zod";
import type { instanceSize, postgresEngine } from "../../../../spec/shared-fields";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { computeVariantOf, smallestSizeOf } from "../shared/compute-sizes";
import { derivedText } from "../../world/derived-bytes";
import { imageOf } from "./database-images";
import { addLegacyKey } from "../auth/signing-keys";
import { defaultApiKeys } from "../auth/api-keys";
import { newAuth } from "../../world/records/auth";
import {
  newBackups,
  newDisk,
  newReadonly,
  newJit,
  newPooler,
  newSslEnforcement,
} from "../../world/records/database";
import { newLogDrains } from "../../world/records/log-drains";
import { newNetwork } from "../../world/records/network";
import { newNewer } from "../../world/records/newer";
import { newWebhooks } from "../../world/records/webhooks";
import type { ProjectRecord, ReleaseChannel } from "../../world/records/project";
import { newRealtime, newStorage, newRestLayer } from "../../world/records/services";
import { newCryptoExtension } from "../auth/crypto-extension";

export interface ProjectPlan {
  readonly organizationSlug: string;
  readonly branchId: string | null;
  readonly name: string;
  readonly region: string;
  readonly dbPass: string;
  readonly size: z.infer<typeof instanceSize> | undefined;
  readonly engine: z.infer<typeof postgresEngine> | undefined;
  readonly releaseChannel: ReleaseChannel | undefined;
  readonly templateUrl: string | null;
  readonly outcome: "ACTIVE_HEALTHY" | "INIT_FAILED";
}

/** Begins a project: its ref exists at once, all else comes up later (service, Compute size). */
export function addProject(world: World, plan: ProjectPlan): ProjectRecord {
  const { state, clock } = world;
  const now = clock.now();
  state.lastProjectNumber += 1;
  const ref = world.newRef();
  const organization = state.organizations.get(plan.organizationSlug);
  const variant = plan.size === undefined ? undefined : computeVariantOf(organization, plan.size);
  const project: ProjectRecord = {
    ref,
    number: state.lastProjectNumber,
    branchId: plan.branchId,
    organizationSlug: plan.organizationSlug,
    name: plan.name,
    region: plan.region,
    createdAt: now,
    templateUrl: plan.templateUrl,
    database: imageOf(plan.engine ?? "17", plan.releaseChannel ?? "ga"),
    activity: { kind: "create", since: now, outcome: plan.outcome },
    restartedAt: null,
    forcedStatus: null,
    lastUsedAt: now,
    dbPass: plan.dbPass,
    jwtSecret: derivedText(world.newId(), 48),
    restLayer: newRestLayer(),
    unhealthyServices: new Map(),
    smallestSize: smallestSizeOf(organization, plan.size),
    addons: new Map(variant === undefined ? [] : [["compute_instance", variant]]),
    addonsChangedAt: null,
    previousComputes: variant === undefined ? [] : [null],
    upgrade: {
      run: null,
      validationErrors: [],
      legacyAuthCustomRoles: [],
      objectsToBeDropped: [],
      unsupportedExtensions: [],
      userDefinedObjectsInInternalSchemas: [],
    },
    postgresOverrides: {},
    startedOverrides: {},
    secrets: new Map(),
    functions: new Map(),
    bundles: new Map(),
    preparedBundles: new Map(),
    apiKeys: defaultApiKeys(world),
    deletedApiKeys: [],
    legacyApiKeysEnabled: true,
    signingKeys: new Map(),
    auth: newAuth(),
    cryptoExtension: newCryptoExtension(ref),
    ssoProviders: new Map(),
    customHostname: null,
    vanitySubdomain: null,
    invocations: [],
    jit: newJit(),
    network: newNetwork(),
    disk: newDisk(isAsMeasured(state)),
    storage: newStorage(organization?.plan !== "free"),
    realtime: newRealtime(),
    readReplicas: new Map(),
    backups: newBackups(),
    sslEnforcement: newSslEnforcement(),
    pooler: newPooler(),
    readonly: newReadonly(),
    webhooksEnabled: false,
    lastLoginRole: null,
    newer: newNewer(),
    webhooks: newWebhooks(),
    logDrains: newLogDrains(),
    next: {
      pause: "INACTIVE",
      restore: "ACTIVE_HEALTHY",
      upgradeError: null,
      branchFailure: null,
      branchProject: "ACTIVE_HEALTHY",
      readReplica: "ACTIVE_HEALTHY",
    },
  };
  if (state.auth.legacySigningKeyAtStart) addLegacyKey(world, project);
  state.projects.set(ref, project);
  return project;
}

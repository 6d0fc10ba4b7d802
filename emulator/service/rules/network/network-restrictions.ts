import { isDeepStrictEqual } from "node:util";
import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { InvalidRequest, type RequestIssue } from "../../answers/invalid-request";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { canonicalCidrV4, canonicalCidrV6, holds } from "./cidr";
import { planOf } from "../shared/plan";
import type { AllowedCidrs, NetworkRestrictionsRecord } from "../../world/records/network";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

type NetworkRestrictionsView = OperationAnswer<Operations["getNetworkRestrictions"]>;
type ViewV2 = OperationAnswer<Operations["patchNetworkRestrictions"]>;

/** The lists as they are sent and answered. */
interface SentCidrs {
  readonly dbAllowedCidrs?: readonly string[] | undefined;
  readonly dbAllowedCidrsV6?: readonly string[] | undefined;
}

/** From `stored` to `applied`, at pace 1, for what is not applied at once. */
const APPLYING_MS = 15_000;

const getNetworkRestrictions: Handler<Operations["getNetworkRestrictions"]> = ({ params, world }) =>
  view(world, projectAt(world, params.ref));

/**
 * Replaces the lists, which are in force at once, and answers without times (service, Network restrictions). Unknown whether a list that is left out stays: here it is replaced by an
 * empty one, which lets no address of its family in.
 */
const applyNetworkRestrictions: Handler<Operations["applyNetworkRestrictions"]> = ({
  params,
  body,
  world,
}) => {
  const project = entitledProjectAt(world, params.ref);
  const delayMs = world.state.changesApplyLater ? APPLYING_MS : 0;
  store(world, project, { config: canonicalLists(body, ""), delayMs });
  return { ...view(world, project), updated_at: undefined, applied_at: undefined };
};

/**
 * Merges, and is in force a while later (service, Network restrictions). Takes out first, so that what is in both lists is allowed
 * afterwards.
 */
const patchNetworkRestrictions: Handler<Operations["patchNetworkRestrictions"]> = ({
  params,
  body,
  world,
}) => {
  const project = entitledProjectAt(world, params.ref);
  const added = canonicalLists(body.add ?? {}, "add.");
  const removed = canonicalLists(body.remove ?? {}, "remove.");
  const { config } = project.network.restrictions;
  const merged = (family: keyof AllowedCidrs): string[] => [
    ...new Set([...config[family].filter((cidr) => !removed[family].includes(cidr)), ...added[family]]),
  ];
  store(world, project, { config: { v4: merged("v4"), v6: merged("v6") }, delayMs: APPLYING_MS });
  return viewV2(world, project);
};

function entitledProjectAt(world: World, ref: string): ProjectRecord {
  const project = settledProjectAt(world, ref, "db");
  if (entitlementOf(world, project) === "disallowed") {
    throw new Refusal(400, `Network restrictions are not part of the plan ${planOf(world, project)}`);
  }
  return project;
}

/** The specification names `disallowed` but not for whom: here for the plan without add-ons. */
function entitlementOf(world: World, project: ProjectRecord): NetworkRestrictionsView["entitlement"] {
  return planOf(world, project) === "free" ? "disallowed" : "allowed";
}

function canonicalLists(
  { dbAllowedCidrs = [], dbAllowedCidrsV6 = [] }: SentCidrs,
  path: string,
): AllowedCidrs {
  const invalid: RequestIssue[] = [];
  const canonical = (
    name: string,
    cidrs: readonly string[],
    spell: (text: string) => string | undefined,
  ): string[] => {
    const spelled = cidrs.map((text, index) => {
      const cidr = spell(text);
      if (cidr === undefined) {
        const message = `${JSON.stringify(text)} is no CIDR of the list's kind`;
        invalid.push({ path: `${path}${name}.${index}`, message });
      }
      return cidr ?? text;
    });
    return [...new Set(spelled)];
  };
  const lists = {
    v4: canonical("dbAllowedCidrs", dbAllowedCidrs, canonicalCidrV4),
    v6: canonical("dbAllowedCidrsV6", dbAllowedCidrsV6, canonicalCidrV6),
  };
  if (invalid.length > 0) throw new InvalidRequest(invalid);
  return lists;
}

/** Unknown whether lists that are there already pass through `stored` again: here nothing changes. */
function store(
  world: World,
  { network }: ProjectRecord,
  { config, delayMs }: Pick<NetworkRestrictionsRecord, "config" | "delayMs">,
): void {
  const { restrictions } = network;
  // A later request takes the place of the one that waits.
  restrictions.pending = null;
  if (isDeepStrictEqual(restrictions.config, config)) return;
  if (restrictions.reviewed) {
    restrictions.pending = { config, requestedAt: world.clock.now() };
    return;
  }
  // While an earlier change is still waiting, what was in force before it stays so.
  if (isApplied(world, network)) restrictions.before = restrictions.config;
  Object.assign(restrictions, { config, delayMs, updatedAt: world.clock.now() });
}

/** When the lists come into force, or came; null when they never changed. */
export function appliedAt(world: World, { restrictions }: ProjectRecord["network"]): number | null {
  const { updatedAt, delayMs } = restrictions;
  return updatedAt === null ? null : updatedAt + delayMs * world.pace;
}

function isApplied(world: World, network: ProjectRecord["network"]): boolean {
  return world.clock.now() >= (appliedAt(world, network) ?? 0);
}

/** Whether the lists that are in force let an address log in. */
export function isAllowed(world: World, { network }: ProjectRecord, address: string): boolean {
  const { config, before } = network.restrictions;
  const { v4, v6 } = isApplied(world, network) ? config : before;
  return [...v4, ...v6].some((cidr) => holds(cidr, address));
}

/** What both answers contain beside the lists. */
function viewProgress(world: World, project: ProjectRecord): Pick<ViewV2, "entitlement" | "status"> & object {
  const { updatedAt } = project.network.restrictions;
  const applied = appliedAt(world, project.network);
  const status = isApplied(world, project.network) ? "applied" : "stored";
  return {
    entitlement: entitlementOf(world, project),
    status,
    ...(updatedAt === null ? {} : { updated_at: new Date(updatedAt).toISOString() }),
    ...(applied === null || status === "stored" ? {} : { applied_at: new Date(applied).toISOString() }),
  };
}

/** `old_config` is what is in force as long as `config` is not. */
function view(world: World, project: ProjectRecord): NetworkRestrictionsView {
  const { config, before, pending } = project.network.restrictions;
  const lists = ({ v4, v6 }: AllowedCidrs): NetworkRestrictionsView["config"] => ({
    dbAllowedCidrs: [...v4],
    dbAllowedCidrsV6: [...v6],
  });
  const { updatedAt } = project.network.restrictions;
  const isNeverSet = updatedAt === null && isAsMeasured(world.state);
  return {
    ...viewProgress(world, project),
    // Recorded of a project whose lists were never set (service, Network restrictions).
    ...(isNeverSet ? { status: undefined } : {}),
    config: lists(config),
    ...(isApplied(world, project.network) ? {} : { old_config: lists(before) }),
    ...(pending === null
      ? {}
      : {
          pending_config: lists(pending.config),
          pending_requested_at: new Date(pending.requestedAt).toISOString(),
        }),
  };
}

/** Both families in one list, each address with its type (service, Network restrictions). */
function listOf({ v4, v6 }: AllowedCidrs): { address: string; type: "v4" | "v6" }[] {
  return [
    ...v4.map((address) => ({ address, type: "v4" as const })),
    ...v6.map((address) => ({ address, type: "v6" as const })),
  ];
}

function viewV2(world: World, project: ProjectRecord): ViewV2 {
  const { config, before } = project.network.restrictions;
  return {
    ...viewProgress(world, project),
    config: { dbAllowedCidrs: listOf(config) },
    ...(isApplied(world, project.network) ? {} : { old_config: { dbAllowedCidrs: listOf(before) } }),
  };
}

/** The lists that were set last, and those that are in force until then. */
export function viewRestrictions(world: World, project: ProjectRecord) {
  const { config, before } = project.network.restrictions;
  return { ...viewProgress(world, project), config: listOf(config), before: listOf(before) };
}

export const networkRestrictionHandlers = {
  getNetworkRestrictions,
  applyNetworkRestrictions,
  patchNetworkRestrictions,
};

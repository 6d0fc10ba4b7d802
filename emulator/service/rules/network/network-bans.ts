import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { InvalidRequest } from "../../answers/invalid-request";
import type { World } from "../../world/world";
import { projectAt, requireActive } from "../shared/project-at";
import { canonicalAddress, isIpv4 } from "./cidr";
import { isAllowed } from "./network-restrictions";
import { replicasOf } from "../database/read-replicas";
import type { LoginTraceRecord } from "../../world/records/network";
import type { ProjectRecord } from "../../world/records/project";
import { Refusal } from "../../answers/refusal";

/** Failed logins of one address at one database within the window that get it banned: no number is specified. */
const FAILURES_TO_BAN = 2;
const WINDOW_MS = 10 * 60_000;
const BAN_MS = 30 * 60_000;

/** Logins with a wrong password, made from outside. */
export interface FailedLogins {
  readonly address: string;
  /** 1 when absent. */
  readonly times?: number;
  /** The project's ref or the identifier of a read replica; the primary when absent. */
  readonly databaseIdentifier?: string;
}

/** How the last of them ended: refused by the restrictions, failed for its password, or refused by a ban. */
export interface LoginOutcome {
  readonly outcome: "not-allowed" | "failed" | "banned";
}

const listNetworkBans: Handler<Operations["listNetworkBans"]> = ({ params, world }) => {
  const bans = bansOf(world, projectAt(world, params.ref));
  return { banned_ipv4_addresses: [...new Set(bans.map(({ address }) => address))] };
};

/** With the database that each ban affects (service, Network restrictions). */
const listNetworkBansEnriched: Handler<Operations["listNetworkBansEnriched"]> = ({ params, world }) => {
  const project = projectAt(world, params.ref);
  return {
    banned_ipv4_addresses: bansOf(world, project).map(({ address, databaseIdentifier }) => ({
      banned_address: address,
      identifier: databaseIdentifier,
      // Unknown what types there are: here those of the databases.
      type: databaseIdentifier === project.ref ? "PRIMARY" : "READ_REPLICA",
    })),
  };
};

/** An address that is not banned is no failure: it can log in, which is what was asked for. */
const removeNetworkBans: Handler<Operations["removeNetworkBans"]> = ({ params, body, world, caller }) => {
  const project = projectAt(world, params.ref);
  requireActive(world, project);
  const identifier = body.identifier;
  if (identifier !== undefined) requireDatabase(world, project, identifier);
  const invalid = body.ipv4_addresses.flatMap((text, index) =>
    isIpv4(text)
      ? []
      : [{ path: `ipv4_addresses.${index}`, message: `${JSON.stringify(text)} is no IPv4 address` }],
  );
  if (invalid.length > 0) throw new InvalidRequest(invalid);
  const own = body.requester_ip === true ? canonicalAddress(caller.address) : undefined;
  const freed = new Set([...body.ipv4_addresses, ...(own === undefined ? [] : [own])]);
  const stays = ({ address, databaseIdentifier }: LoginTraceRecord): boolean =>
    !freed.has(address) || (identifier !== undefined && identifier !== databaseIdentifier);
  project.network.bans = project.network.bans.filter(stays);
  project.network.failedLogins = project.network.failedLogins.filter(stays);
};

/** Lets an address fail to log in: too often, and it is banned for a while. */
export function failLogins(
  world: World,
  ref: string,
  { address: text, times = 1, databaseIdentifier = ref }: FailedLogins,
): LoginOutcome {
  const project = projectAt(world, ref);
  requireActive(world, project);
  requireDatabase(world, project, databaseIdentifier);
  const address = canonicalAddress(text);
  if (address === undefined) throw new Refusal(400, `No IP address: ${JSON.stringify(text)}`);
  let last: LoginOutcome["outcome"] = "failed";
  for (let attempt = 0; attempt < times; attempt += 1) {
    last = failLogin(world, project, { address, databaseIdentifier, at: world.clock.now() });
  }
  return { outcome: last };
}

function failLogin(world: World, project: ProjectRecord, login: LoginTraceRecord): LoginOutcome["outcome"] {
  // Who is not let in at all is not asked for a password, so there is nothing to count.
  if (!isAllowed(world, project, login.address)) return "not-allowed";
  const isSame = ({ address, databaseIdentifier }: LoginTraceRecord): boolean =>
    address === login.address && databaseIdentifier === login.databaseIdentifier;
  if (bansOf(world, project).some(isSame)) return "banned";
  const { network } = project;
  const recent = network.failedLogins.filter(({ at }) => login.at < at + WINDOW_MS);
  network.failedLogins = [...recent, login];
  // Only IPv4 addresses are listed as banned (service, Network restrictions), so only those are.
  if (!isIpv4(login.address) || network.failedLogins.filter(isSame).length < FAILURES_TO_BAN) return "failed";
  network.failedLogins = network.failedLogins.filter((one) => !isSame(one));
  network.bans = [...bansOf(world, project), login];
  return "failed";
}

/** Bans that are not over; those of a read replica go with it. */
function bansOf(world: World, project: ProjectRecord): LoginTraceRecord[] {
  const identifiers = databaseIdentifiers(world, project);
  return project.network.bans.filter(
    ({ at, databaseIdentifier }) =>
      world.clock.now() < at + BAN_MS && identifiers.includes(databaseIdentifier),
  );
}

function databaseIdentifiers(world: World, project: ProjectRecord): string[] {
  return [project.ref, ...replicasOf(world, project).map(({ identifier }) => identifier)];
}

function requireDatabase(world: World, project: ProjectRecord, identifier: string): void {
  if (databaseIdentifiers(world, project).includes(identifier)) return;
  throw new Refusal(404, `The project has no database ${JSON.stringify(identifier)}`);
}

export const networkBanHandlers = { listNetworkBans, listNetworkBansEnriched, removeNetworkBans };

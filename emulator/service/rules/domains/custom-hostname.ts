import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import type { World } from "../../world/world";
import { projectAt, settledProjectAt } from "../shared/project-at";
import { derivedText } from "../../world/derived-bytes";
import type { ProjectRecord } from "../../world/records/project";
import type { CustomHostnameRecord } from "../../world/records/domains";
import { Refusal } from "../../answers/refusal";
import { SERVICE_DOMAIN } from "../shared/hosting";

type CustomHostnameView = OperationAnswer<Operations["getCustomHostname"]>;

/** From the verification until the origin is set up, at pace 1; the running service may need half an hour. */
const ORIGIN_SETUP_MS = 60_000;

/** From the initialization until the record for the certificate shows, at pace 1: measured 2 to 24 s (service, Custom hostname). */
const VALIDATION_RECORD_MS = 3_000;

const getCustomHostname: Handler<Operations["getCustomHostname"]> = ({ params, world }) => {
  const project = requireAddon(projectAt(world, params.ref));
  return viewHostname(world, project, hostnameOf(project));
};

const initializeCustomHostname: Handler<Operations["initializeCustomHostname"]> = ({
  params,
  body,
  world,
}) => {
  const project = requireAddon(settledProjectAt(world, params.ref));
  // service, Custom hostname: a second initialize.
  if (project.customHostname !== null) {
    throw new Refusal(
      544,
      "Delete the custom hostname associated with your project before attempting to create a new one.",
    );
  }
  const id = world.newId();
  project.customHostname = {
    id,
    hostname: body.custom_hostname,
    ownershipValue: id,
    validationValue: derivedText(id, 32),
    initializedAt: isAsMeasured(world.state) ? world.clock.now() : null,
    ownershipVerifiedAt: null,
    verifiedAt: null,
    activatedAt: null,
  };
  return viewHostname(world, project, project.customHostname);
};

/**
 * Looks the records up: first the one that proves ownership, at the next look the one that validates the certificate. What
 * is ready for activation is refused with 400 (service, Custom hostname); in between, while the origin is set up, there is
 * nothing to activate yet and no reason to refuse.
 */
const reverifyCustomHostname: Handler<Operations["reverifyCustomHostname"]> = ({ params, world }) => {
  const project = requireAddon(settledProjectAt(world, params.ref));
  const hostname = hostnameOf(project, "Project is not pending custom hostname verification.");
  if (hostname.activatedAt !== null) {
    throw new Refusal(400, "Project is not pending custom hostname verification.");
  }
  if (isOriginSetUp(world, hostname)) {
    throw new Refusal(400, "Verification has been completed, please proceed to activation.");
  }
  const missing = missingRecords(world, hostname);
  if (hostname.ownershipVerifiedAt !== null) {
    if (missing.length === 0 && hasValidationRecord(world, hostname))
      hostname.verifiedAt ??= world.clock.now();
  } else if (!missing.includes(ownershipName(hostname))) {
    hostname.ownershipVerifiedAt = world.clock.now();
  }
  return viewHostname(world, project, hostname);
};

const activateCustomHostname: Handler<Operations["activateCustomHostname"]> = ({ params, world }) => {
  const project = requireAddon(settledProjectAt(world, params.ref));
  const hostname = hostnameOf(project);
  if (hostname.activatedAt !== null) {
    throw new Refusal(400, "Custom hostname has already been activated.");
  }
  if (!isOriginSetUp(world, hostname)) throw new Refusal(400, "Verification has not been completed.");
  hostname.activatedAt = world.clock.now();
  return viewHostname(world, project, hostname);
};

/** The add-on stays unless the call says otherwise, and is billed on. */
const removeCustomHostname: Handler<Operations["removeCustomHostname"]> = ({ params, query, world }) => {
  const project = requireAddon(settledProjectAt(world, params.ref));
  hostnameOf(project, "Custom hostname not configured for project");
  project.customHostname = null;
  if (query.remove_addon === true) project.addons.delete("custom_domain");
};

function requireAddon(project: ProjectRecord): ProjectRecord {
  if (!project.addons.has("custom_domain")) {
    throw new Refusal(400, "Please enable the Custom Domain add-on for the project first.");
  }
  return project;
}

/** Every endpoint says in words of its own that there is no hostname (service, Custom hostname). */
function hostnameOf(
  project: ProjectRecord,
  missing = "No custom hostname configuration found.",
): CustomHostnameRecord {
  if (project.customHostname === null) throw new Refusal(400, missing);
  return project.customHostname;
}

function ownershipName({ hostname }: CustomHostnameRecord): string {
  return `_ownership-verification.${hostname}`;
}

function validationName({ hostname }: CustomHostnameRecord): string {
  return `_acme-challenge.${hostname}`;
}

function hasValidationRecord({ clock, pace }: World, { initializedAt }: CustomHostnameRecord): boolean {
  return initializedAt === null || clock.now() >= initializedAt + VALIDATION_RECORD_MS * pace;
}

/** Names of the TXT records that the world does not know with their value. */
function missingRecords({ state }: World, record: CustomHostnameRecord): string[] {
  const wanted = [
    [ownershipName(record), record.ownershipValue],
    [validationName(record), record.validationValue],
  ] as const;
  return wanted
    .filter(([name, value]) => state.dnsTxt.get(name)?.includes(value) !== true)
    .map(([name]) => name);
}

/** When the origin is set up, or was; null as long as the hostname is not verified. */
export function originSetUpAt(world: World, { verifiedAt }: CustomHostnameRecord): number | null {
  return verifiedAt === null ? null : verifiedAt + ORIGIN_SETUP_MS * world.pace;
}

function isOriginSetUp(world: World, record: CustomHostnameRecord): boolean {
  const at = originSetUpAt(world, record);
  return at !== null && world.clock.now() >= at;
}

/** How far the hostname has come. */
export function hostnameStatus(world: World, record: CustomHostnameRecord): CustomHostnameView["status"] {
  if (record.verifiedAt === null) return "2_initiated";
  if (record.activatedAt !== null) return "5_services_reconfigured";
  return isOriginSetUp(world, record) ? "4_origin_setup_completed" : "3_challenge_verified";
}

function viewHostname(
  world: World,
  project: ProjectRecord,
  record: CustomHostnameRecord,
): CustomHostnameView {
  const isVerified = record.verifiedAt !== null;
  const isOwned = record.ownershipVerifiedAt !== null || isVerified;
  // Between ownership and certificate the answer has no lists of errors (service, Custom hostname).
  const isRecordShown = hasValidationRecord(world, record);
  const missing = isOwned ? [] : missingRecords(world, record);
  const lacksOwnership = missing.includes(ownershipName(record));
  const lacksValidation = isRecordShown && missing.includes(validationName(record));
  return {
    status: hostnameStatus(world, record),
    custom_hostname: record.hostname,
    data: {
      success: true,
      errors: [],
      messages: [],
      result: {
        id: record.id,
        hostname: record.hostname,
        ssl: {
          status: isVerified ? "active" : "pending_validation",
          // They disappear once verified (service, Custom hostname).
          validation_records:
            isVerified || !isRecordShown
              ? []
              : [{ txt_name: validationName(record), txt_value: record.validationValue }],
          ...(lacksValidation
            ? { validation_errors: [{ message: `TXT record not found: ${validationName(record)}` }] }
            : {}),
        },
        ownership_verification: isOwned
          ? { type: "", name: "", value: "" }
          : { type: "txt", name: ownershipName(record), value: record.ownershipValue },
        custom_origin_server: `${project.ref}.${SERVICE_DOMAIN}`,
        ...(lacksOwnership
          ? { verification_errors: [`TXT record not found: ${ownershipName(record)}`] }
          : {}),
        status: isOwned ? "active" : "pending",
      },
    },
  };
}

export const customHostnameHandlers = {
  getCustomHostname,
  initializeCustomHostname,
  reverifyCustomHostname,
  activateCustomHostname,
  removeCustomHostname,
};

import { z } from "zod";
import { onePerProject } from "../../../define/import-id";
import { local, replacesWhenTargeted, stays } from "../../../define/markers";
import {
  defineResource,
  PartialError,
  type ObservedResource,
  type ResourceState,
} from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  initializeHostname,
  lookUpHostname,
  lookUpHostnameOnce,
  removeHostname,
  type HostnameRecord,
} from "./calls";
import { hostname } from "./hostname";
import { problems } from "./problems";
import {
  activateUntilServed,
  isActivated,
  isShownInactive,
  validationRecordsOf,
  waitForValidationRecord,
  waitUntilReady,
} from "./steps";

const inputs = z.strictObject({
  projectRef,
  customHostname: replacesWhenTargeted(
    hostname(
      "Hostname of the project, at most 253 characters. A project has at most one. A change is refused, because the replacement would delete the hostname that the project has, whoever set it. To replace it, set the resource option `deleteBeforeReplace: true` and run `pulumi up --target-replace <urn>`.",
    ),
    "the hostname that the project has, whoever set it",
    "delete-first",
  ),
  activate: stays(
    z
      .boolean()
      .describe(
        "Whether to wait until the DNS records are verified and the origin is set up, which can take half an hour, and then activate the hostname. Omit it in the first run, create the DNS records from the outputs, and set it in a later run. To do everything in one run, use `CustomHostnameActivation` instead. Removing the input does not deactivate the hostname.",
      ),
    "The service cannot deactivate a hostname. Deleting the resource removes the hostname.",
  ).optional(),
  removeAddon: local(
    z
      .boolean()
      .describe(
        "Whether deleting the resource also removes the add-on `custom_domain` from the project, which ends its cost. A replacement deletes it too, and the new hostname then lacks the add-on. Leave it `false` if a `BillingAddon` manages the add-on. Some installations ignore it. Default: `false`.",
      ),
  ).optional(),
  ...everyResource,
});

const ownershipRecord = z
  .object({
    type: z.string().describe("Type of the record, such as `txt`.").optional(),
    name: z.string().describe("Name of the record.").optional(),
    value: z.string().describe("Value of the record.").optional(),
  })
  .meta({
    id: "CustomHostnameOwnershipVerification",
    description: "The DNS record that proves ownership of a hostname.",
  });

const validationRecord = z
  .object({
    txtName: z.string().describe("Name of the TXT record.").optional(),
    txtValue: z.string().describe("Value of the TXT record.").optional(),
  })
  .meta({
    id: "CustomHostnameValidationRecord",
    description: "A DNS record that validates the certificate.",
  });

const outputs = z.object({
  status: z
    .string()
    .describe(
      "`2_initiated`, `3_challenge_verified`, `4_origin_setup_completed` (ready for activation) or `5_services_reconfigured` (active).",
    ),
  ownershipVerification: ownershipRecord
    .describe("DNS record that proves ownership. Kept after the service stops returning it.")
    .optional(),
  validationRecords: z
    .array(validationRecord)
    .describe("DNS records that validate the certificate. Kept after the service stops returning them.")
    .optional(),
  customOriginServer: z.string().describe("Target of the hostname's CNAME record."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

/** The records vanish from the answer, or are empty, once they are verified (service, Custom hostname): `seen` has them then. */
function fromWire(
  record: HostnameRecord,
  seen: ResourceState<Inputs, Outputs>,
): ObservedResource<Inputs, Outputs> {
  const result = record.data?.result;
  const name = record.custom_hostname ?? undefined;
  const kept = name === undefined || name === seen.customHostname ? seen : {};
  const ownership = result?.ownership_verification;
  const validation = validationRecordsOf(record);
  return {
    inputs: {
      customHostname: name,
      // Only a wanted activation can be missing: the service has no way back.
      activate: seen.activate === true ? !isShownInactive(record) : undefined,
    },
    outputs: {
      status: record.status ?? kept.status,
      ownershipVerification:
        omitEmpty(ownership?.value) === undefined
          ? kept.ownershipVerification
          : {
              type: omitEmpty(ownership?.type),
              name: omitEmpty(ownership?.name),
              value: omitEmpty(ownership?.value),
            },
      validationRecords: validation.length === 0 ? kept.validationRecords : validation,
      customOriginServer: omitEmpty(result?.custom_origin_server) ?? kept.customOriginServer,
    },
  };
}

/** A text that says something: an empty one is as good as none. */
function omitEmpty(text: string | null | undefined): string | undefined {
  return text === null || text === "" ? undefined : text;
}

/** The hostname of one's own under which a project is served. */
export const customHostname = defineResource({
  type: "CustomHostname",
  description:
    "The custom hostname of a project. Creation returns the DNS records that you must create: it waits up to a minute for the one that validates the certificate, which the service makes a few seconds later, and not at all for some names that were served before. With `activate: true`, it waits until they are verified and activates the hostname. Requires the add-on `custom_domain`.",
  inputs,
  outputs,
  timeouts: { create: 2400, update: 2400, delete: 300 },
  isRepeatable: true,
  comparesBeforeDelete: true,
  uniqueBy: [],
  labelledBy: "customHostname",
  importId: onePerProject("at most"),
  problems,

  async find(ctx, { projectRef: ref }) {
    const record = await lookUpHostname(ctx, ref);
    if (record === undefined) return [];
    return [{ id: ref, label: `${record.custom_hostname ?? "unnamed"}, ${record.status ?? "no status"}` }];
  },

  async read(ctx, { id, state }) {
    const record = await lookUpHostnameOnce(ctx, id, state.removeAddon === true);
    if (record === undefined) return undefined;
    const observed = fromWire(record, state);
    return { ...observed, inputs: { ...observed.inputs, projectRef: id } };
  },

  async create(ctx, declared) {
    const { projectRef: ref, customHostname: name } = declared;
    return { id: ref, ...fromWire(await initializeHostname(ctx, ref, name), declared) };
  },

  async settle(ctx, { id, state, inputs: declared }) {
    const seen = { ...state, ...declared };
    const first = await ctx.api.getCustomHostname({ ref: id });
    const isSeen = (fromWire(first, seen).outputs.validationRecords ?? []).length > 0;
    const found = isSeen ? first : await waitForValidationRecord(ctx, id, first);
    const now = fromWire(found, seen);
    if (declared.activate !== true || isActivated(found, state)) return now;
    const ready = await waitUntilReady(ctx, id, found).catch((error: unknown) => {
      throw new PartialError(now, error);
    });
    const kept = { ...seen, ...now.outputs, ...fromWire(ready, { ...seen, ...now.outputs }).outputs };
    return fromWire(await activateUntilServed(ctx, id), kept);
  },

  // A change of `activate` is the work of `settle`.
  update: () => Promise.resolve({}),

  delete: (ctx, { id, state }) => removeHostname(ctx, id, state.removeAddon === true),
});

import { z } from "zod";
import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { onePerProject } from "../../../define/import-id";
import { replaces } from "../../../define/markers";
import { defineResource, type ObservedResource, type ResourceState } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { waitThroughStates } from "../../../waiting/project-state";
import { lookUpHostname, lookUpHostnameOnce, type HostnameRecord } from "../custom-hostname/calls";
import { hostname } from "../custom-hostname/hostname";
import { problems as ofHostname } from "../custom-hostname/problems";
import { activateUntilServed, isActivated, isShownInactive, waitUntilReady } from "../custom-hostname/steps";
import { createNotFoundError } from "../../../lookup/missing-errors";
import { isOwnerGone } from "../../../lookup/owner";

const inputs = z.strictObject({
  projectRef,
  customHostname: replaces(
    hostname(
      "Hostname to activate: the one of the project's `CustomHostname`, at most 253 characters. A change replaces the activation.",
    ),
    "delete-first",
  ),
  ...everyResource,
});

const outputs = z.object({
  status: z.string().describe("`5_services_reconfigured` when the hostname is active."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

function fromWire(
  ref: string,
  { custom_hostname, status }: HostnameRecord,
  known: Pick<ResourceState<Inputs, Outputs>, "status"> = {},
): ObservedResource<Inputs, Outputs> {
  return {
    inputs: { projectRef: ref, customHostname: custom_hostname ?? undefined },
    outputs: { status: status ?? known.status },
  };
}

const problems = {
  needsAddOn: ofHostname.needsAddOn,
  certificateRefused: ofHostname.certificateRefused,
  noHostname: defineProblem({
    says: "The project {ref} has no custom hostname to activate: {remedy}.",
    means: "The project has no custom hostname.",
    remedy: "Declare a `CustomHostname` and refer to it: `customHostname: hostname.customHostname`",
  }),
  hasAnother: defineProblem({
    says: "The project {ref} has the custom hostname {present}, not {name}. Nothing was activated. {remedy}.",
    means: "The project's hostname differs from the declared one.",
    remedy: "Declare the hostname of the `CustomHostname`",
  }),
};

/** The second half of a custom hostname: what follows once its DNS records are made. */
export const customHostnameActivation = defineResource({
  type: "CustomHostnameActivation",
  description:
    "The activation of a project's `CustomHostname`. Creation waits until the service has verified the DNS records and set up the origin, which can take half an hour, and then activates the hostname. If your program creates the DNS records from the outputs of the `CustomHostname`, let the activation depend on them (`dependsOn`). Then one `pulumi up` does everything. The API cannot deactivate a hostname. Deleting this resource only removes it from the state, and the hostname stays active until its `CustomHostname` is deleted. The service answers under the hostname up to two minutes after the activation.",
  inputs,
  outputs,
  timeouts: { create: 2400, update: 2400, delete: 300 },
  isRepeatable: true,
  uniqueBy: [],
  labelledBy: "customHostname",
  importId: onePerProject("at most"),
  problems,

  async read(ctx, { id, state }) {
    const record = await lookUpHostnameOnce(ctx, id);
    // What an answer leaves out says nothing.
    return record === undefined || isShownInactive(record) ? undefined : fromWire(id, record, state);
  },

  async create(ctx, { projectRef: ref, customHostname: name }) {
    const record = await lookUpHostname(ctx, ref);
    if (record === undefined) {
      if (await isOwnerGone(ctx, ref))
        throw createNotFoundError("getCustomHostname", `There is no project ${ref}.`);
      throw new InvalidInputError("customHostname", problems.noHostname.message({ ref }));
    }
    const present = record.custom_hostname ?? name;
    if (present !== name) {
      throw new InvalidInputError("customHostname", problems.hasAnother.message({ ref, present, name }));
    }
    return { id: ref, outputs: fromWire(ref, record).outputs };
  },

  async settle(ctx, { id, state }) {
    const found = await ctx.api.getCustomHostname({ ref: id });
    if (isActivated(found, state)) return fromWire(id, found, state);
    // A paused project refuses as one does whose DNS records are missing: it would be waited for in vain.
    await waitThroughStates(ctx, id);
    await waitUntilReady(ctx, id, found);
    return fromWire(id, await activateUntilServed(ctx, id));
  },

  async delete(ctx, { id }) {
    // What is only said must not keep a stack from being destroyed.
    const record = await lookUpHostname(ctx, id).catch(() => undefined);
    if (record === undefined || !isActivated(record)) return;
    const name = record.custom_hostname ?? "of the project";
    ctx.info(
      `the custom hostname ${name} stays active until its CustomHostname is deleted, because the API cannot deactivate it.`,
    );
  },
});

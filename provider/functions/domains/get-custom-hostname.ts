import { z } from "zod";
import { defineProblem } from "../../client/errors/problem";
import { defineFunction } from "../../define/function";
import { customHostname } from "../../resources/domains/custom-hostname/custom-hostname";
import { problems as hostnameProblems } from "../../resources/domains/custom-hostname/problems";
import { createNotFoundError } from "../../lookup/missing-errors";
import { projectRef } from "../../define/shared-arguments";
import { toFoundShape, pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({ projectRef });

const { status, ownershipVerification, validationRecords, customOriginServer } = toFoundShape(
  customHostname.outputs.shape,
);

const outputs = z.object({
  customHostname: z.string().describe("Hostname at which the project is or will be served.").optional(),
  status,
  ownershipVerification,
  validationRecords,
  customOriginServer,
});

const problems = {
  needsAddOn: hostnameProblems.needsAddOn,
  noHostname: defineProblem({
    says: "The project {ref} does not exist or has no custom hostname: {remedy}.",
    means: "The project has no custom hostname or does not exist.",
    remedy: "Declare a `CustomHostname` for it, or check `projectRef`",
  }),
};

/** The custom hostname of a project. */
export const getCustomHostname = defineFunction({
  name: "getCustomHostname",
  description:
    "Reads the custom hostname of a project with its setup status and required DNS records. The service stops returning the records when they are verified. Requires the add-on `custom_domain`.",
  inputs,
  outputs,
  problems,
  async run(ctx, { projectRef: ref }) {
    const observed = await shareInFlight(ctx, `custom-hostname:${ref}`, async () =>
      customHostname.read(ctx, { id: ref, state: {} }),
    );
    if (observed === undefined) {
      throw createNotFoundError("getCustomHostname", problems.noHostname.message({ ref }));
    }
    return {
      ...pickPresentFields({ customHostname: observed.inputs.customHostname }),
      ...pickPresentFields(observed.outputs),
    };
  },
});

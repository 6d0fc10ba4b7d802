import { z } from "zod";
import { defineFunction } from "../../define/function";
import { vanitySubdomain } from "../../resources/domains/vanity-subdomain/vanity-subdomain";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  vanitySubdomain: vanitySubdomain.inputs.shape.vanitySubdomain.describe(
    "Name below the service's domain: at most 63 lowercase letters, digits and hyphens, without a hyphen at either end.",
  ),
});

const outputs = z.object({
  available: z
    .boolean()
    .describe("Whether the name is available to the project, or already its own.")
    .optional(),
});

/** Whether a project can have a name below the service's own domain. */
export const getVanitySubdomainAvailability = defineFunction({
  name: "getVanitySubdomainAvailability",
  description:
    "Checks whether a vanity subdomain is available to a project. It does not reserve the name, but the service requires the permission to write. The service allows ten such calls per minute and project, and only on plans with vanity subdomains.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, vanitySubdomain: name }) {
    const { available } = await readInProject(ctx, ref, `vanity-subdomain-availability:${name}`, () =>
      ctx.api.ofEveryProject(ref, () =>
        ctx.api.checkVanitySubdomain({ ref, body: { vanity_subdomain: name } }),
      ),
    );
    return pickPresentFields({ available });
  },
});

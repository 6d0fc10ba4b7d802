import { z } from "zod";
import { defineFunction } from "../../define/function";
import { vanitySubdomain } from "../../resources/domains/vanity-subdomain/vanity-subdomain";
import { ofProject } from "../../lookup/missing-errors";
import { presentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({
  projectRef,
  vanitySubdomain: vanitySubdomain.inputs.shape.vanitySubdomain.describe(
    "Name below the service's own domain: at most 63 lower-case letters, digits and hyphens, with no hyphen at either end.",
  ),
});

const outputs = z.object({
  available: z
    .boolean()
    .describe("Whether the project can have the name, which it may have already.")
    .optional(),
});

/** Whether a project can have a name below the service's own domain. */
export const getVanitySubdomainAvailability = defineFunction({
  name: "getVanitySubdomainAvailability",
  description:
    "Asks whether a project can have a vanity subdomain. It takes nothing, though the service asks for the permission to write; others can take the name afterwards. The service allows ten such calls a minute for a project, and refuses them on a plan without vanity subdomains.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref, vanitySubdomain: name }) {
    const { available } = await readInProject(ctx, ref, `vanity-subdomain-availability:${name}`, () =>
      ctx.api.ofEveryProject(ref, () =>
        ctx.api.checkVanitySubdomain({ ref, body: { vanity_subdomain: name } }),
      ),
    );
    return presentFields({ available });
  },
});

import { z } from "zod";
import { defineFunction } from "../../define/function";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({});

const outputs = z.object({
  username: z.string().describe("Name of the account."),
  primaryEmail: z.string().describe("Primary email address of the account.").optional(),
  authId: z.string().describe("Identifier of the account with the service's login.").optional(),
});

/** Whose token it is. */
export const getProfile = defineFunction({
  name: "getProfile",
  description:
    "Reads the account to which the provider's access token belongs. Some installations do not have this operation.",
  inputs,
  outputs,
  problems: {},
  async run(ctx) {
    const found = await shareInFlight(ctx, "profile", () => ctx.api.getProfile({}));
    return {
      username: found.username,
      ...pickPresentFields({ primaryEmail: found.primary_email, authId: found.auth_id }),
    };
  },
});

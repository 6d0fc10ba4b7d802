import { z } from "zod";
import { defineFunction } from "../../define/function";
import { fromWire, role } from "../../resources/database/jit-user/roles";
import { ofProject } from "../../lookup/missing-errors";
import { pickPresentFields, readInProject } from "../answers";
import { projectRef } from "../../define/shared-arguments";

const inputs = z.strictObject({ projectRef });

const user = z
  .object({
    userId: z.string().describe("Identifier of the user, a UUID. Absent for invited people.").optional(),
    email: z
      .string()
      .describe("Address of the user, or the one to which the invitation was sent. Absent if not shown.")
      .optional(),
    invitationId: z.string().describe("Identifier of the invitation, a UUID. Absent for users.").optional(),
    invitationExpiresAt: z
      .string()
      .describe("Time until which the invitation can be accepted, ISO 8601. Absent for users.")
      .optional(),
    roles: z.array(role).describe("The roles that the user may assume, including expired ones."),
  })
  .describe("A user with just-in-time access to a database.");

const outputs = z.object({
  users: z.array(user).describe("All users who may assume a role, and those who are invited."),
});

/** Who may assume which role of a project's database for a time. */
export const getJitUsers = defineFunction({
  name: "getJitUsers",
  description:
    "Lists the users with just-in-time access to a project's database, and the roles that each may assume.",
  inputs,
  outputs,
  problems: ofProject,
  async run(ctx, { projectRef: ref }) {
    const found = await readInProject(ctx, ref, "all-jit-users", () => ctx.api.listJitUsers({ ref }));
    return {
      users: found.map((each) => ({
        ...pickPresentFields({
          userId: each.user_id,
          email: each.primary_email,
          invitationId: each.invite_id,
          invitationExpiresAt: each.expires_at,
        }),
        roles: fromWire(each),
      })),
    };
  },
});

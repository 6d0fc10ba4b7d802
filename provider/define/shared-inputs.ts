import { z } from "zod";
import { projectRef as wireProjectRef } from "../../spec/shared-fields";
import { createOnly, dynamicOnly, formed, local, parent, replaces } from "./markers";

const seconds = z.int().min(1).max(86_400);

/** Inputs that every resource takes. */
export const everyResource = {
  // The plugin's users have the option `customTimeouts`, which the engine does not hand to dynamic providers.
  timeouts: dynamicOnly(
    local(
      z
        .strictObject({
          create: seconds
            .optional()
            .describe("Timeout of a create in seconds, including the wait for readiness."),
          update: seconds
            .optional()
            .describe("Timeout of an update in seconds, including the wait for readiness."),
          delete: seconds
            .optional()
            .describe("Timeout of a delete in seconds, including the wait for removal."),
        })
        .describe("Timeout of each step, in seconds from 1 to 86400."),
    ),
  ).optional(),
  adopt: createOnly(
    z
      .boolean()
      .describe(
        "Whether to take over the existing object that has the declared identity. If none exists, one is created. Default: `false`.",
      ),
  ).optional(),
  adoptId: createOnly(
    z.string().min(1).describe("Identifier of an existing object to take over instead of creating one."),
  ).optional(),
};

/** What a project or a branch is named by. */
export const anyRef = formed(wireProjectRef, "a reference of 20 lowercase letters", "abcdefghijklmnopqrst");

/** The project that a resource belongs to; it cannot move to another one. */
export const projectRef = parent(
  replaces(anyRef.describe("Reference of the project or branch, 20 lowercase letters.")),
);

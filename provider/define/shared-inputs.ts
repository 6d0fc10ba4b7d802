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
          create: seconds.optional().describe("Maximum duration of a create in seconds, waiting included."),
          update: seconds.optional().describe("Maximum duration of an update in seconds, waiting included."),
          delete: seconds.optional().describe("Maximum duration of a delete in seconds, waiting included."),
        })
        .describe("Maximum duration of each step in seconds, from 1 to 86400."),
    ),
  ).optional(),
  adopt: createOnly(
    z
      .boolean()
      .describe(
        "Takes over the existing object with the declared identity, if there is one, instead of creating one.",
      ),
  ).optional(),
  adoptId: createOnly(
    z
      .string()
      .min(1)
      .describe("Takes over the existing object with this identifier instead of creating one."),
  ).optional(),
};

/** What a project or a branch is named by. */
export const anyRef = formed(
  wireProjectRef,
  "a reference of twenty lower-case letters",
  "abcdefghijklmnopqrst",
);

/** The project that a resource belongs to; it cannot move to another one. */
export const projectRef = parent(
  replaces(
    anyRef.describe("Reference of the project or branch that this belongs to: twenty lower-case letters."),
  ),
);

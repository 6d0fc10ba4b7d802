import { z } from "zod";
import { projectRef as wireProjectRef } from "../../spec/shared-fields";
import { createOnly, dynamicOnly, formed, local, replaces } from "./markers";

const seconds = z.int().min(1).max(86_400);

/** Inputs that every resource takes. */
export const everyResource = {
  // The plugin's users have the option `customTimeouts`, which the engine does not hand to dynamic providers.
  timeouts: dynamicOnly(
    local(
      z
        .strictObject({
          create: seconds.optional().describe("Seconds that creating may take, waiting included."),
          update: seconds.optional().describe("Seconds that updating may take, waiting included."),
          delete: seconds.optional().describe("Seconds that deleting may take, waiting included."),
        })
        .describe("How long each step may take, in seconds, from 1 to 86400."),
    ),
  ).optional(),
  adopt: createOnly(
    z
      .union([z.boolean(), z.string().min(1)])
      .describe(
        "Takes over an existing object instead of creating one: `true` finds it by its name, a string is its identifier.",
      ),
  ).optional(),
};

/** What a project or a branch is named by. */
export const anyRef = formed(
  wireProjectRef,
  "a reference of twenty lower-case letters",
  "abcdefghijklmnopqrst",
);

/** The project that a resource belongs to; it cannot move to another one. */
export const projectRef = replaces(
  anyRef.describe(
    "Reference of the project, or of a branch, that this belongs to: twenty lower-case letters.",
  ),
);

import { z } from "zod";
import { defineProblem } from "../../../../provider/client/errors/problem";
import { defineFunction, type AnyFunction } from "../../../../provider/define/function";
import { inProject } from "../../../../provider/define/import-id";
import {
  autonamed,
  computed,
  createOnly,
  local,
  replaces,
  secret,
  stable,
  writeOnly,
} from "../../../../provider/define/markers";
import { defineResource, type AnyResource } from "../../../../provider/define/resource";
import { everyResource, projectRef } from "../../../../provider/define/shared-inputs";

const drawer = z
  .strictObject({ depth: z.int().describe("Depth.") })
  .meta({ id: "ToyDrawer", description: "A drawer." });

/** A resource with one field of each kind. */
export const toy: AnyResource = defineResource({
  type: "ToyBox",
  description: "A box of toys. It has no second sentence.",
  inputs: z.strictObject({
    projectRef,
    label: autonamed(z.string().describe("Label of the box."), { separator: "-", maxLength: 40 }),
    size: z.enum(["one", "two"]).default("one").describe("How large it is."),
    colour: z
      .enum(["scarlet", "vermilion", "ultramarine", "chartreuse", "aquamarine", "magenta"])
      .describe("Colour | of the box.")
      .optional(),
    fixed: replaces(z.string().describe("Fixed."), "delete-first").optional(),
    seed: replaces(writeOnly(z.string().describe("Seed."))).optional(),
    password: secret(writeOnly(z.string().describe("Password."))),
    toys: z
      .record(
        z.string(),
        z.strictObject({ kind: z.string().describe("Kind."), pin: secret(z.string().describe("Pin.")) }),
      )
      .describe("Toys by name.")
      .optional(),
    left: drawer.optional(),
    right: drawer.optional(),
    hurry: local(z.boolean().describe("Hurries.")).optional(),
    origin: createOnly(z.string().describe("Origin.")).optional(),
    checksum: computed(z.string().describe("Checksum.")).optional(),
    ...everyResource,
  }),
  outputs: z.object({
    boxId: stable(z.string().describe("Identifier.")),
    keys: z.array(secret(z.string())).describe("Keys."),
    weight: z.number().describe("Weight.").optional(),
    count: z.int().describe("Count.").optional(),
  }),
  timeouts: { create: 300, update: 600, delete: 90 },
  importId: inProject("boxId", "`getBoxes`"),
  problems: {
    stuck: defineProblem({
      says: "The toy box {label} is stuck: {remedy}.",
      means: "The lid is shut.",
      remedy: "Open `{label}`, or wait. A key helps",
    }),
  },
  uniqueBy: ["label"],
  idOutput: "boxId",
  find: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
  create: () => Promise.resolve({ id: "box" }),
  delete: () => Promise.resolve(),
});

/** A function that takes one argument and answers a secret. */
export const getToyBox: AnyFunction = defineFunction({
  name: "getToyBox",
  description: "Reads a box. It has a second sentence.",
  inputs: z.strictObject({ label: z.string().describe("Label of the box.") }),
  outputs: z.object({
    boxId: stable(z.string().describe("Identifier.")),
    keys: z.array(secret(z.string())).describe("Keys."),
  }),
  run: () => Promise.resolve({ boxId: "box", keys: [] }),
});

import { z } from "zod";
import { defineFunction } from "../../../provider/define/function";
import {
  autonamed,
  computed,
  createOnly,
  dynamicOnly,
  local,
  replaces,
  secret,
  writeOnly,
} from "../../../provider/define/markers";
import { defineResource } from "../../../provider/define/resource";
import type { Manifest, Surface } from "../../../tools/schema/package-schema";

export const manifest: Manifest = {
  version: "1.2.3",
  description: "Toys.",
  keywords: ["toys", "pulumi"],
  license: "MIT",
  repository: { url: "https://example.com/toys" },
};

const color = z
  .enum(["red", "sky-blue", "2tone"])
  .meta({ id: "Color", description: "A color.", beforeDigits: "With" });

export const boxInputs = {
  name: autonamed(z.string().describe("Name of the box."), { separator: "-", maxLength: 10 }),
  color: replaces(color.describe("Color.")),
  lining: replaces(color.describe("Color inside.")).optional(),
  place: z
    .strictObject({ room: z.string().describe("Room."), shelf: z.int().max(9).describe("Shelf.").optional() })
    .describe("Where it stands."),
  key: secret(writeOnly(z.string().describe("Key."))),
  labels: z.record(z.string(), z.string()).describe("Labels.").optional(),
  kind: replaces(z.literal("wooden").describe("Kind.")),
  volume: z.number().describe("Volume in liters.").default(1.5),
  lid: z.boolean().describe("Whether it has a lid.").optional(),
  checksum: computed(z.string().describe("Sum.")).optional(),
  note: local(z.string().describe("Note.")).optional(),
  template: createOnly(z.string().describe("Template.")).optional(),
  timeouts: dynamicOnly(z.strictObject({ create: z.int().optional() }).describe("Timeouts.")).optional(),
};

export const boxOutputs = {
  place: z
    .object({ room: z.string().describe("Room."), seenAt: z.string().describe("Time.").optional() })
    .describe("Where it was seen."),
  serial: z.int().max(5_000_000_000).describe("Serial number."),
  parts: z
    .array(
      z
        .object({ id: z.string().describe("Id."), pin: secret(z.string().describe("Pin.")) })
        .describe("A part."),
    )
    .describe("Parts.")
    .optional(),
  extra: z.unknown().describe("Whatever else."),
  settings: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("Settings.")
    .optional(),
};

export const boxOf = (inputs: z.ZodRawShape = boxInputs, outputs: z.ZodRawShape = boxOutputs, type = "Box") =>
  defineResource({
    type,
    description: "A box.",
    inputs: z.strictObject(inputs),
    outputs: z.object(outputs),
    timeouts: { create: 60, update: 60, delete: 60 },
    importId: { format: "<name>", whereFound: "its name", parse: (id) => ({ id, inputs: {} }) },
    read: () => Promise.resolve(undefined),
    create: () => Promise.reject(new Error("a box is never made")),
    delete: () => Promise.resolve(),
  });

export const getBoxesOf = (inputs: z.ZodRawShape, outputs: z.ZodRawShape, name = "getBoxes") =>
  defineFunction({
    name,
    description: "Finds boxes.",
    inputs: z.strictObject(inputs),
    outputs: z.object(outputs),
    run: () => Promise.resolve({}),
  });

export const boxesArguments = {
  color: color.describe("Only boxes of this color.").optional(),
  lock: z
    .discriminatedUnion("kind", [
      z
        .strictObject({ kind: z.literal("code").describe("Kind."), digits: z.string().describe("Digits.") })
        .describe("A lock with a code."),
      z
        .strictObject({ kind: z.literal("KEY").describe("Kind."), teeth: z.int().describe("Teeth.") })
        .describe("A lock with a key."),
    ])
    .describe("Only boxes with this lock.")
    .optional(),
};

export const boxesAnswer = {
  boxes: z
    .array(
      z
        .object({
          name: z.string().describe("Name."),
          key: secret(z.string().describe("Key.")).optional(),
          madeAt: z.number().describe("Time of making, in milliseconds since 1970."),
        })
        .describe("A box."),
    )
    .describe("The boxes."),
};

const config = z.strictObject({
  url: z.string().describe("Where the boxes are. Environment: TOY_URL."),
  token: secret(z.string().describe("Who asks. Environment: TOY_TOKEN.")).optional(),
});

/** A catalog with one of everything that the schema can say. */
export function toySurface(changes: Partial<Surface> = {}): Surface {
  return {
    resources: [boxOf()],
    functions: [getBoxesOf(boxesArguments, boxesAnswer)],
    config,
    ...changes,
  };
}

import { z } from "zod";
import {
  asSet,
  comparedBy,
  computed,
  local,
  replaces,
  secret,
  writeOnly,
} from "../../../provider/define/markers";
import { defineResource } from "../../../provider/define/resource";
import { everyResource } from "../../../provider/define/shared-inputs";

export const toyInputs = z.strictObject({
  name: z.string().min(1).max(256).describe("Name of the toy."),
  region: replaces(z.enum(["north", "south"])).optional(),
  password: secret(writeOnly(z.string().min(4))).optional(),
  tags: asSet(z.array(z.string())).optional(),
  size: comparedBy(z.string(), (value) =>
    typeof value === "string" ? value.toLowerCase() : value,
  ).optional(),
  limits: z.strictObject({ cpu: z.int().optional(), memory: z.int().optional() }).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  first: z.string().optional(),
  second: z.string().optional(),
  keep: local(z.boolean()).optional(),
  checksum: computed(z.string()).optional(),
  ...everyResource,
});

export const toyOutputs = z.object({ url: z.string(), token: secret(z.string()) });

/** A resource of no service: for what the lifecycle does before any call. */
export const toy = defineResource({
  type: "Toy",
  description: "A toy.",
  inputs: toyInputs,
  outputs: toyOutputs,
  timeouts: { create: 60, update: 60, delete: 60 },
  uniqueBy: ["name"],
  importId: { format: "<name>", whereFound: "its name", parse: (id) => ({ id, inputs: { name: id } }) },
  check: (inputs) => ({
    failures:
      inputs.first !== undefined && inputs.second !== undefined
        ? [{ path: "first", reason: "first and second exclude each other" }]
        : [],
    ...(inputs.name === undefined ? {} : { computed: { checksum: `sum of ${inputs.name}` } }),
  }),
  read: () => Promise.resolve(undefined),
  create: () => Promise.reject(new Error("a toy is never made")),
  delete: () => Promise.resolve(),
});

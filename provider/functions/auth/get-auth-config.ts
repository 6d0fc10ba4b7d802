import { z } from "zod";
import { shapeOf } from "../../../spec/shape-of";
import { defineFunction } from "../../define/function";
import { listMarkedFields, traitsOf } from "../../define/markers";
import { projectRef } from "../../define/shared-arguments";
import { ofProject } from "../../lookup/missing-errors";
import { authConfig } from "../../resources/auth/auth-config/auth-config";
import { authSettings } from "../../resources/auth/auth-config/settings";
import { toFoundShape, readConfiguration } from "../answers";

const inputs = z.strictObject({ projectRef });

const outputs = z.object({ ...pickShownSettings(authSettings), ...toFoundShape(authConfig.outputs.shape) });

/** How users of a project sign up and sign in. */
export const getAuthConfig = defineFunction({
  name: "getAuthConfig",
  description:
    "Reads the auth configuration of a project: how its users sign up and sign in. Settings without a value are absent. Secrets are absent too, because the service returns only their hashes.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, authConfig, outputs),
});

/** The settings that a read can return: neither secrets of which the service shows a hash nor names of local files. */
function pickShownSettings(settings: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  const shown = Object.entries(settings).filter(([, field]) => isShown(field));
  return Object.fromEntries(shown.map(([name, field]) => [name, toShownField(field)]));
}

function isShown(field: z.ZodType): boolean {
  const { hashed, textOf } = traitsOf(field);
  return hashed === undefined && textOf === undefined;
}

/** A group that lacks something here is a type of its own, as no type can have two contents. */
function toShownField(field: z.ZodType): z.ZodType {
  const shape = shapeOf(field);
  const { group, description = "" } = traitsOf(field);
  if (group !== true || shape.kind !== "object") return field;
  const all = Object.fromEntries(listMarkedFields(shape.inner).map(([name, each]) => [name, each]));
  const shown = pickShownSettings(all);
  const isWhole = Object.keys(all).length === Object.keys(shown).length;
  if (isWhole && Object.keys(all).every((name) => all[name] === shown[name])) return field;
  return z
    .object(shown)
    .meta({ id: `Get${findTypeId(shape.inner)}`, description })
    .describe(description)
    .optional();
}

/** The name of a type, which a copy made for one field has from its original. */
function findTypeId(schema: z.core.$ZodType): string {
  const id = z.globalRegistry.get(schema)?.id;
  const { parent } = schema._zod;
  return id ?? (parent === undefined ? "" : findTypeId(parent));
}

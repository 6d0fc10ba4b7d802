import type { ProgramResource } from "../../import/model";
import { applyDeclared } from "../../import/state";
import { resourceByType } from "../../provider/catalog/catalog";
import { importResource } from "../../provider/engine/import";
import type { Runtime } from "../../provider/engine/step/runtime";
import { SIGNATURE_KEY } from "../../provider/engine/schema/secrets";
import type { Values } from "../../provider/define/values";
import { isObject } from "../../spec/is-object";

/** What the stack has of a resource after the command: what the engine records of an import, with what the program has beside. */
export async function recordedOf(
  runtime: Runtime,
  declared: ProgramResource,
): Promise<{ readonly id: string; readonly state: Values }> {
  const { type, name, importId } = declared;
  const read = await importResource(runtime, resourceByType(type), importId, true);
  if (read === undefined) throw new Error(`${type} ${importId} is not there`);
  const { id } = read;
  const one = {
    urn: `urn:pulumi:production::shop::management:index:${type}::${name}`,
    type: `management:index:${type}`,
    ...{ id, inputs: read.inputs, outputs: read.state },
  };
  const state = applyDeclared({ version: 3, deployment: { resources: [one] } }, [declared], {
    owner: "",
    hasClasses: false,
  });
  return { id, state: unsealed(state.deployment.resources?.[0]?.outputs ?? {}) as Values };
}

/** Secrets as an exported state has them, as plain values. */
function unsealed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unsealed);
  if (!isObject(value)) return value;
  if (SIGNATURE_KEY in value) return JSON.parse(String(value["plaintext"])) as unknown;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unsealed(each)]));
}

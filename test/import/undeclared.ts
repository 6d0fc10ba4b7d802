import type { InventoryObject, Inventory } from "../../import/inventory";
import { resourceByType } from "../../provider/catalog/catalog";
import { listDifferences } from "../../provider/define/compare";
import { isOptional, listMarkedFields } from "../../provider/define/markers";
import { formatPath } from "../../provider/define/property-path";
import { observe } from "../../provider/engine/step/observe";
import { createStepContext, type Runtime } from "../../provider/engine/step/runtime";
import { createClaim, withId } from "../../provider/ledger/claim";

/** The paths that a read shows of an object, and that `--full` neither declares nor has a note of. */
export async function undeclaredOf(
  runtime: Runtime,
  { omitted }: Pick<Inventory, "omitted">,
  { type, importId, label, inputs: declared }: InventoryObject,
): Promise<string[]> {
  const resource = resourceByType(type);
  const { id, inputs: implied } = resource.importId.parse(importId) ?? { id: importId, inputs: {} };
  const ctx = createStepContext(runtime, resource, "read", implied, {
    claim: withId(createClaim(resource, implied), id),
  });
  const asked = Object.fromEntries((resource.importId.readsIfDeclared ?? []).map((name) => [name, ""]));
  const observed = await observe(ctx, resource, { id, state: { ...asked, ...implied } });
  const seen: Readonly<Record<string, unknown>> = { ...observed?.inputs, ...implied };
  const paths = listMarkedFields(resource.inputs).flatMap(([name, field, { computed, createOnly }]) => {
    const value = seen[name];
    if (computed === true || createOnly === true || value === undefined || value === null) return [];
    if (!isOptional(field) && !(name in declared)) return [name];
    return listDifferences(field, declared[name], value, [name], true).map(({ path }) => formatPath(path));
  });
  const noted = omitted.filter((each) => each.type === type && each.label === label);
  return paths.filter((path) => !noted.some(({ why }) => why.startsWith(`\`${path}\``)));
}

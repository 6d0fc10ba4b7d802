import { allFunctions, allResources } from "../../provider/catalog";
import type { ConditionalCall } from "../../provider/define/conditional-call";
import { previewPermissions } from "../../previews/permissions.generated";
import { permissionsFor } from "../../tools/generate/preview-permissions";

const DEFINITIONS = [
  ...allResources().filter(({ type }) =>
    ["Branch", "MigrationSet", "SqlScript", "FunctionSet"].includes(type),
  ),
  ...allFunctions().filter(({ name }) => name === "getBranchDiff"),
];

function withCalls(change: (call: ConditionalCall) => ConditionalCall): string[] {
  return permissionsFor(
    DEFINITIONS.map((each) => ({
      ...each,
      ...(each.conditionalCalls && { conditionalCalls: each.conditionalCalls.map(change) }),
    })),
  );
}

it("other words for the condition of a call change nothing of what a token of previews may do", () => {
  expect(withCalls((call) => call)).toEqual(previewPermissions);
  const reworded = withCalls(([operation, steps, , ...marker]) => [operation, steps, "sometimes", ...marker]);
  expect(reworded).toEqual(previewPermissions);
});

it("a call that no occasion excludes gets its permission", () => {
  const unmarked = withCalls(([operation, steps, when]) => [operation, steps, when]);
  expect(unmarked.filter((each) => !previewPermissions.includes(each))).toEqual(
    expect.arrayContaining(["api_gateway_keys_read", "project_admin_write"]),
  );
});

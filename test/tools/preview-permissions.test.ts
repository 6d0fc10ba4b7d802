import { previewPermissions } from "../../previews/permissions.generated";
import type { ConditionalCall } from "../../tools/fixtures/conditional-calls";
import { callsOf } from "../../tools/generate/recorded-calls";
import { permissionsFor, PREVIEW_TYPES } from "../../tools/generate/preview-permissions";

function withCalls(change: (call: ConditionalCall) => ConditionalCall): string[] {
  return permissionsFor(
    PREVIEW_TYPES.map(callsOf).map((calls) => ({ ...calls, conditional: calls.conditional.map(change) })),
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

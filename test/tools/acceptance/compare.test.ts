import { compareExchanges } from "../../../tools/acceptance/compare";
import type { Exchange } from "../../../tools/acceptance/exchange";

function listing(answer: unknown, more: Partial<Exchange> = {}): Exchange {
  return {
    type: "ApiKey",
    step: "read",
    operation: "listApiKeys",
    method: "GET",
    path: "/v1/projects/{ref}/api-keys",
    query: {},
    status: 200,
    answer,
    ...more,
  };
}

function differences(service: readonly Exchange[], emulator: readonly Exchange[]): string[] {
  return compareExchanges(service, emulator).map((each) =>
    [each.kind, each.path, each.service, each.emulator].join(", "),
  );
}

it("finds no difference in how often something was polled", () => {
  const waiting = listing({ status: "COMING_UP" });
  const ready = listing({ status: "ACTIVE_HEALTHY" });
  expect(differences([waiting, waiting, ready], [waiting, ready])).toEqual([]);
});

it.each<[string, readonly Exchange[], readonly Exchange[], readonly string[]]>([
  ["a call that only one side was asked", [listing([])], [], ["call, , 200, not called"]],
  ["another status", [listing([], { status: 201 })], [listing([])], ["status, , 201, 200"]],
  ["a further field", [listing([{ a: 1, b: null }])], [listing([{ a: 1 }])], ["shape, [].b, null, absent"]],
  [
    "another kind of value",
    [listing({ a: "<uuid>" })],
    [listing({ a: "<number>" })],
    ["shape, a, uuid, number"],
  ],
  ["an empty body", [listing(undefined)], [listing({ message: "ok" })], ["shape, , empty, object"]],
  ["another state at the end", [listing({ a: "ON" })], [listing({ a: "OFF" })], ['text, a, "ON", "OFF"']],
  ["another value", [listing({ a: 1 })], [listing({ a: 2 })], ["text, a, 1, 2"]],
])("finds %s", (_what, service, emulator, expected) => {
  expect(differences(service, emulator)).toEqual(expected);
});

it("says nothing of what is below an absent object or an empty list", () => {
  expect(differences([listing({ a: { b: 1 } })], [listing({})])).toEqual(["shape, a, object, absent"]);
  expect(differences([listing([{ a: 1 }])], [listing([])])).toEqual([]);
});

it("lists the steps of one difference in one row", () => {
  const [left, right] = [[{ a: "ON" }], [{ a: "OFF" }]].map((answer) => [
    listing(answer),
    listing(answer, { step: "refresh" }),
  ]);
  expect(compareExchanges(left ?? [], right ?? []).map(({ places }) => places)).toEqual([
    ["ApiKey: read", "ApiKey: refresh"],
  ]);
});

import type { AnyResource } from "../../../provider/define/resource";
import { checkInputs } from "../../../provider/engine/check";
import { UNKNOWN } from "../../../provider/define/unknown";
import { toy } from "./toy-resource";

const failuresOf = (inputs: Record<string, unknown>): string[] =>
  checkInputs(toy, inputs).failures.map(({ path, reason }) => `${path}: ${reason}`);

describe("check", () => {
  it("reports every fault at once, with the path, what was given and what is allowed", () => {
    expect(
      failuresOf({ name: "n".repeat(300), region: "east", limits: { cpu: "two" }, timeouts: { create: 0 } }),
    ).toEqual([
      "name: got a string of 300 characters; at most 256 characters allowed",
      'region: got "east"; allowed: "north", "south"',
      'limits.cpu: got "two"; expected a number',
      "timeouts.create: got 0; at least 1 required",
    ]);
  });

  it("says of a missing property that it is required", () => {
    expect(failuresOf({})).toEqual(["name: required, but missing: expected a string"]);
  });

  it("names the nearest property for an unknown one, nested ones too", () => {
    expect(failuresOf({ name: "a", regoin: "north", limits: { memry: 1 } })).toEqual([
      "limits.memry: unknown property; did you mean `memory`?",
      "regoin: unknown property; did you mean `region`?",
    ]);
  });

  it("does not offer computed properties as known ones", () => {
    expect(failuresOf({ name: "a", zzzzzzzzzz: 1 })[0]).not.toContain("checksum");
  });

  it("never repeats a secret value", () => {
    expect(failuresOf({ name: "a", password: "abc" })).toEqual([
      "password: the value is secret and not shown; at least 4 characters required",
    ]);
  });

  it("does not judge what is not known yet, and still judges the rest", () => {
    expect(failuresOf({ name: UNKNOWN, limits: { cpu: UNKNOWN, memory: "much" } })).toEqual([
      'limits.memory: got "much"; expected a number',
    ]);
  });

  it("applies rules over several fields", () => {
    expect(failuresOf({ name: "a", first: "x", second: "y" })).toEqual([
      "first: first and second exclude each other",
    ]);
    expect(failuresOf({ name: "a", first: "x", second: UNKNOWN })).toEqual([]);
  });

  it("shows a rule over several fields no field that is itself at fault", () => {
    const seen: unknown[] = [];
    const ruled: AnyResource = {
      ...toy,
      check: (inputs, isUnknown) => {
        seen.push(inputs, isUnknown("first"), isUnknown("second"), isUnknown("name"));
        return {};
      },
    };
    checkInputs(ruled, { name: "a", first: { not: "a text" }, second: UNKNOWN });
    expect(seen).toEqual([{ name: "a" }, true, true, false]);
  });

  it("adds computed inputs and drops nulls", () => {
    expect(checkInputs(toy, { name: "a", region: null, checksum: "stale", __provider: "p" }).inputs).toEqual({
      name: "a",
      checksum: "sum of a",
      __provider: "p",
    });
  });
});

import { z } from "zod";
import { diffInputs, type Differences } from "../../../provider/engine/diff";
import type { Values } from "../../../provider/define/values";
import { writeMarks } from "../../../provider/define/state-marks";
import { composeState } from "../../../provider/engine/step/state";
import { UNKNOWN } from "../../../provider/define/unknown";
import { toy, toyOutputs } from "./toy-resource";

const outputs = { url: "https://toy", token: "t-1" };

function diffOf(before: Values, now: Values): Differences {
  return diffInputs(toy, composeState(toy, before, { outputs }), now);
}

describe("diff", () => {
  it("finds nothing where nothing changed", () => {
    const inputs = { name: "a", tags: ["x", "y"], limits: { cpu: 1 }, password: "pass", keep: true };
    expect(diffOf(inputs, inputs)).toMatchObject({ changes: false, properties: [], replaces: [] });
  });

  it("names the exact nested property that changes", () => {
    expect(
      diffOf({ name: "a", limits: { cpu: 1, memory: 2 } }, { name: "a", limits: { cpu: 1, memory: 3 } }),
    ).toMatchObject({
      changes: true,
      properties: [{ path: "limits.memory" }],
    });
  });

  it("compares sets as sets and spellings by what they mean", () => {
    expect(
      diffOf({ name: "a", tags: ["x", "y"], size: "BIG" }, { name: "a", tags: ["y", "x", "y"], size: "big" })
        .changes,
    ).toBe(false);
  });

  it("does not compare nested properties that are not declared", () => {
    const state = composeState(
      toy,
      { name: "a", limits: { cpu: 1 } },
      { outputs, inputs: { limits: { cpu: 1, memory: 9 } } },
    );
    expect(diffInputs(toy, state, { name: "a", limits: { cpu: 1 } }).changes).toBe(false);
  });

  it("compares maps whole: an entry that is gone from the program is a change", () => {
    expect(
      diffOf({ name: "a", labels: { x: "1", y: "2" } }, { name: "a", labels: { x: "1" } }).properties,
    ).toMatchObject([{ path: "labels.y" }]);
  });

  it("replaces for a field that is fixed at creation, deleting first because the name stays", () => {
    expect(diffOf({ name: "a", region: "north" }, { name: "a", region: "south" })).toMatchObject({
      changes: true,
      replaces: ["region"],
      deleteBeforeReplace: true,
    });
  });

  it("takes an unknown value for a change", () => {
    expect(diffOf({ name: "a", region: "north" }, { name: "a", region: UNKNOWN }).replaces).toEqual([
      "region",
    ]);
  });

  it("writes a changed option of the provider to state without a call", () => {
    const found = diffOf({ name: "a", keep: true }, { name: "a", keep: false });
    expect(found).toMatchObject({ changes: true, properties: [{ path: "keep" }] });
    expect([...found.changed]).toEqual([]);
  });

  it("ignores what matters while creating only, and the engine's own properties", () => {
    expect(diffOf({ name: "a" }, { name: "a", adopt: true, __provider: "new" }).changes).toBe(false);
  });

  it("sees a value that was reset to null on the service", () => {
    const state = composeState(toy, { name: "a", size: "big" }, { outputs, inputs: { size: null } });
    expect(diffInputs(toy, state, { name: "a", size: "big" }).properties).toMatchObject([{ path: "size" }]);
  });

  it("goes on with a resource that has not settled", () => {
    const state = writeMarks(composeState(toy, { name: "a" }, { outputs }), { isPending: true });
    expect(diffInputs(toy, state, { name: "a" })).toMatchObject({ changes: true, properties: [] });
  });

  it("finds nothing where state does not tell which inputs are managed, also for one that is an output too", () => {
    const twice = { ...toy, outputs: toyOutputs.extend({ region: z.string() }) };
    const state = { ...outputs, name: "a", region: "north" };
    expect(diffInputs(twice, state, { name: "a", region: "north" })).toMatchObject({
      changes: false,
      properties: [],
    });
    expect(diffInputs(twice, state, { name: "a", region: "south" })).toMatchObject({ replaces: ["region"] });
  });
});

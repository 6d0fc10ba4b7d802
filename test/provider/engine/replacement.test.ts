import { z } from "zod";
import { replaces, replacesWhenTargeted } from "../../../provider/define/markers";
import { checkInputs } from "../../../provider/engine/check";
import { diffAt, diffForUpdate, diffInputs } from "../../../provider/engine/diff";
import type { Values } from "../../../provider/define/values";
import { composeState } from "../../../provider/engine/step/state";
import { toy, toyOutputs } from "./toy-resource";

const resource = {
  ...toy,
  inputs: z.strictObject({
    name: z.string(),
    zone: replaces(z.enum(["north", "south"])),
    others: replacesWhenTargeted(z.string(), "what others made").optional(),
  }),
  outputs: toyOutputs,
};
const declared = { name: "a", zone: "north", others: "ours" };
const stateOf = (seen: Values): Values => composeState(resource, declared, { inputs: seen, outputs: {} });
const NOW_MS = 0;

it.each([
  ["one that this version does not know", "west"],
  ["none at all", null],
])("follows no value of the service but a listed one: %s is refused", (_which, zone) => {
  const state = stateOf({ zone });
  expect(diffInputs(resource, state, declared)).toMatchObject({ changes: true, replaces: [] });
  expect(() => diffAt(resource, state, declared, NOW_MS)).toThrow("A change of zone replaces the Toy");
});

it("follows a listed value", () => {
  expect(diffInputs(resource, stateOf({ zone: "south" }), declared).replaces).toEqual(["zone"]);
});

it("replaces nothing where one of several differences is refused", () => {
  const state = stateOf({ zone: "south", others: "theirs" });
  const found = diffInputs(resource, state, declared);
  expect(found).toMatchObject({ replaces: [], deleteBeforeReplace: false });
  expect(found.properties.map(({ replaces: isReplacing }) => isReplacing)).toEqual([false, false]);
});

it("is refused by a check that has the inputs before, by an update, and by no comparison alone", () => {
  const before = { ...declared, others: "theirs" };
  expect(checkInputs(resource, declared, before).failures).toEqual([
    {
      path: "others",
      reason: expect.stringMatching(
        /which deletes what others made\. The program declares "ours", the state has "theirs"\..*run `pulumi up --target-replace '<urn>'`\./,
      ) as string,
    },
  ]);
  expect(checkInputs(resource, declared).failures).toEqual([]);
  const state = stateOf({ others: "theirs" });
  expect(diffAt(resource, state, declared, NOW_MS).replaces).toEqual([]);
  expect(() => diffForUpdate(resource, state, declared, NOW_MS)).toThrow("which deletes what others made");
});

it("names the resource by its URN where that is known, and no value that the program made a secret of", () => {
  const urn = "urn:pulumi:dev::shop::management:index:Toy::toy";
  const redaction = { redact: (text: string) => text, isSecret: (name: string) => name === "others" };
  const program = { owner: urn, isReplaceable: () => false };
  const { failures } = checkInputs(resource, declared, { ...declared, others: "theirs" }, redaction, program);
  const text = JSON.stringify(failures);
  expect(text).toContain(`--target-replace '${urn}'`);
  expect(text).toContain("The program declares [secret], the state has [secret]");
  expect(text).not.toContain("theirs");
});

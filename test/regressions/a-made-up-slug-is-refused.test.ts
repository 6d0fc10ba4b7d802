import { resourceByType } from "../../provider/catalog";
import { withAutonames } from "../../provider/lifecycle/schema/autoname";
import { checkInputs } from "../../provider/lifecycle/operations/check";

describe("a slug that is made of a resource's name", () => {
  const edgeFunction = resourceByType("EdgeFunction");
  const given = { projectRef: "abcdefghijklmnopqrst", files: { "index.ts": "1" } };
  const randomSeed = new Uint8Array([1]);

  it.each([
    ["hello", /^hello-/],
    ["1st", /^f1st-/],
    ["on order.paid", /^on-order-paid-/],
    ["a/b", /^a-b-/],
    ["größe", /^gr--e-/],
    ["-", /^f--/],
  ])("is one that the service takes, though the name is %s", (name, form) => {
    const request = { name, randomSeed, mode: "default", proposedName: "" } as const;
    const inputs = withAutonames(edgeFunction, given, {}, request);
    expect(checkInputs(edgeFunction, inputs).failures).toEqual([]);
    expect(inputs["slug"]).toMatch(form);
    expect(inputs["slug"]).toMatch(/-[\da-f]{7}$/);
  });
});

import { z } from "zod";
import { asSet } from "../../provider/define/markers";
import { differencesBelow } from "../../provider/define/compare";

describe("an element of a set that stands where another one stood", () => {
  const set = asSet(z.array(z.string()));

  it("is told as a change of that place, so that the plan shows what goes as well", () => {
    expect(differencesBelow(set, ["a", "b"], ["c", "b", "d"], ["domains"])).toEqual([
      { path: ["domains", 0], kind: "update" },
      { path: ["domains", 2], kind: "add" },
    ]);
    expect(differencesBelow(set, ["a", "b"], ["b"], ["domains"])).toEqual([
      { path: ["domains", 0], kind: "delete" },
    ]);
  });
});

import { together } from "../../../provider/converge/named-set";
import { bareContext } from "./bare-context";

it("tries each name of a set, and what failed not again in the same step", async () => {
  const tried: string[] = [];
  const act = (name: string): Promise<void> => {
    tried.push(name);
    return name === "B" ? Promise.reject(new Error("B is refused")) : Promise.resolve();
  };
  const things = new Map(["A", "B", "C"].map((name) => [name, name]));
  const ctx = bareContext();
  const failed = [{ name: "B", reason: new Error("B is refused") }];
  expect(await together(ctx, things, act)).toEqual({ done: 2, failed });
  expect(await together(ctx, things, act)).toEqual({ done: 2, failed });
  expect(tried).toEqual(["A", "B", "C", "A", "C"]);
  expect(await together(bareContext(), new Map([["B", "B"]]), act)).toEqual({ done: 0, failed });
  expect(tried.at(-1)).toBe("B");
});

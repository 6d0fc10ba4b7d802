import {
  removeName,
  waitForRemovals,
  runForEach,
} from "../../../../../provider/resources/functions/shared/named-set";
import type { Context } from "../../../../../provider/define/context";
import { EMPTY_PROGRAM } from "../../../../../provider/ledger/program-view";
import { bareContext } from "../../../../kit/bare-context";

it("tries each name of a set, and what failed not again in the same step", async () => {
  const tried: string[] = [];
  const act = (name: string): Promise<void> => {
    tried.push(name);
    return name === "B" ? Promise.reject(new Error("B is refused")) : Promise.resolve();
  };
  const things = new Map(["A", "B", "C"].map((name) => [name, name]));
  const ctx = bareContext();
  const failed = [{ name: "B", reason: new Error("B is refused") }];
  expect(await runForEach(ctx, things, act)).toEqual({ done: 2, failed });
  expect(await runForEach(ctx, things, act)).toEqual({ done: 2, failed });
  expect(tried).toEqual(["A", "B", "C", "A", "C"]);
  expect(await runForEach(bareContext(), new Map([["B", "B"]]), act)).toEqual({ done: 0, failed });
  expect(tried.at(-1)).toBe("B");
});

describe("a name that goes over", () => {
  const named = { key: "secrets:ref", name: "TOKEN" };

  it("is not removed where another resource of the program has come to declare it", async () => {
    const left: string[] = [];
    const ctx: Context = {
      ...bareContext(),
      program: {
        ...EMPTY_PROGRAM,
        listNamesElsewhere: () => new Set(["TOKEN"]),
        leaveNames: (names) => void left.push(...names),
      },
    };
    await removeName(ctx, named, () => Promise.reject(new Error("it was removed")));
    expect(left).toEqual(["TOKEN"]);
  });

  it("is taken only once a removal that was on its way has ended, however it ends", async () => {
    const ctx = bareContext();
    const events: string[] = [];
    let end: (error?: Error) => void = () => undefined;
    const removal = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
    const giving = removeName(ctx, named, () => removal).catch(() => events.push("not removed"));
    const taking = waitForRemovals(ctx, named.key, ["A", named.name]).then(() => events.push("taken"));
    await waitForRemovals(ctx, named.key, ["A"]).then(() => events.push("another one is taken at once"));
    end(new Error("the service is down"));
    await Promise.all([giving, taking]);
    expect(events).toEqual(["another one is taken at once", "not removed", "taken"]);
  });
});

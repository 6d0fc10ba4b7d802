import { operations } from "../spec/table";
import { plans } from "../tools/coverage/plans";
import { usersOfOperations } from "../tools/coverage/users";

describe("the operation table", () => {
  it("has no entry that the provider does not use, unless it says what will or why nothing does", () => {
    const users = usersOfOperations();
    const idle = Object.keys(operations).filter((name) => !users.has(name) && !(name in plans));
    expect(idle).toEqual([]);
  });

  it("is ordered by method and path without a double", () => {
    const shapes = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });
});

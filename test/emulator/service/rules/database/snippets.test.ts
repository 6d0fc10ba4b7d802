import { operator } from "../../../../../emulator/service/access/caller";
import type { SnippetSeed } from "../../../../../emulator/service/world/state";
import type { OperationParameters } from "../../../../../spec/operation";
import type { Operations } from "../../../../../spec/table";
import { createRulesWorld, type RulesWorld } from "../rules-world";
import { createSnippet } from "../../../../../emulator/service/rules/database/snippets";

type Query = OperationParameters<Operations["listSnippets"]>;

describe("SQL snippets", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
    service.caller.identity = "user:owner";
  });
  function keep(name: string, seed: Partial<SnippetSeed> = {}): string {
    service.advance(1);
    return createSnippet(service.world, { projectRef: ref, name, sql: `select '${name}'`, ...seed });
  }
  const names = (query: Query = {}): string[] =>
    service.call("listSnippets", query).data.map(({ name }) => name);

  it("are listed without, and looked at with what they hold", () => {
    const id = keep("orders", { description: "All orders", favorite: true });
    const summary = {
      id,
      type: "sql",
      name: "orders",
      description: "All orders",
      visibility: "user",
      favorite: true,
      project: { id: 1, name: "shop" },
      owner: { username: "owner" },
    };
    const listed = service.call("listSnippets", {}).data;
    expect(listed).toEqual([expect.objectContaining({ ...summary, owner: expect.anything() as unknown })]);
    expect(listed[0]).not.toHaveProperty("content");
    expect(service.call("getSnippet", { id })).toMatchObject({
      ...summary,
      content: { sql: "select 'orders'", favorite: true },
    });
    expect(service.refusal("getSnippet", { id: service.world.newId() })).toBe(
      "406 Failed to retrieve SQL snippet",
    );
  });

  it("are sorted as asked, newest first by themselves", () => {
    for (const name of ["b", "c", "a"]) keep(name);
    expect(names()).toEqual(["a", "c", "b"]);
    expect(names({ sort_order: "asc" })).toEqual(["b", "c", "a"]);
    expect(names({ sort_by: "name", sort_order: "asc" })).toEqual(["a", "b", "c"]);
    expect(names({ sort_by: "name" })).toEqual(["c", "b", "a"]);
  });

  it.each<Query>([{}, { sort_order: "asc" }, { sort_by: "name" }, { sort_by: "name", sort_order: "asc" }])(
    "come page by page, each once, in the order %j",
    (order) => {
      for (const name of ["d", "a", "a", "c", "b"]) keep(name);
      const all = names(order);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = service.call("listSnippets", { ...order, limit: "2", ...(cursor && { cursor }) });
        seen.push(...page.data.map(({ name }) => name));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(all);
    },
  );

  it("move no page when one is added meanwhile", () => {
    for (const name of ["a", "b", "c"]) keep(name);
    const { cursor = "" } = service.call("listSnippets", { limit: "2" });
    keep("new");
    expect(names({ cursor })).toEqual(["a"]);
  });

  it("are of one project where one is asked for, and gone with it", () => {
    const other = service.healthyProject();
    const kept = keep("ours");
    keep("theirs", { projectRef: other });
    expect(names({ project_ref: other })).toEqual(["theirs"]);
    service.call("deleteProject", { ref });
    service.advance(15);
    expect(names()).toEqual(["theirs"]);
    expect(service.refusal("getSnippet", { id: kept })).toBe("406 Failed to retrieve SQL snippet");
    expect(service.refusal("listSnippets", { project_ref: "zzzzzzzzzzzzzzzzzzzz" })).toBe(
      "404 Project not found",
    );
  });

  it("are seen by their owner only, unless they are for others", () => {
    const secret = keep("mine", { owner: "ana" });
    keep("ours", { owner: "ana", visibility: "project" });
    expect(names()).toEqual(["ours"]);
    expect(service.refusal("getSnippet", { id: secret })).toBe("406 Failed to retrieve SQL snippet");
    service.caller.identity = "user:ana";
    expect(names()).toEqual(["ours", "mine"]);
    service.caller.identity = operator.identity;
    expect(names()).toEqual(["ours", "mine"]);
  });

  it("are refused with a limit or a cursor that makes no sense", () => {
    for (const name of ["a", "b"]) keep(name);
    for (const limit of ["0", "101", "ten", "1.5", ""]) {
      expect(service.refusal("listSnippets", { limit })).toMatch(/^400 limit: /);
    }
    const { cursor = "" } = service.call("listSnippets", { limit: "1" });
    expect(service.refusal("listSnippets", { cursor, sort_by: "name" })).toMatch(
      /^400 cursor: Expected one of a listing in this order/,
    );
    for (const made of ["", "nonsense", Buffer.from("{}").toString("base64url")]) {
      expect(service.refusal("listSnippets", { cursor: made })).toMatch(/^400 cursor: Expected one that/);
    }
  });
});

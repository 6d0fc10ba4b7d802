import type { Values } from "../../provider/define/values";
import { startScenario, type Scenario } from "../kit/scenario";
import { NotFoundError } from "../../provider/client/errors/errors";
import { errorOf, faults, invoke, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const keep = (name: string, ref = projectRef): string => {
  scenario.clock.advance(1_000);
  const { control } = scenario.emulator;
  return control.createSnippet({ projectRef: ref, name, sql: `select '${name}'`, visibility: "project" });
};

describe("getSnippets", () => {
  const names = async (more: Values = {}): Promise<unknown> => {
    const { snippets } = await invoke<{ snippets: { name: string }[] }>(scenario, "getSnippets", more);
    return snippets.map(({ name }) => name);
  };

  it("returns all snippets, of all projects or of one, page after page", async () => {
    const other = scenario.healthyProject("other");
    keep("elsewhere", other);
    const own = Array.from({ length: 101 }, (_, index) => `query-${index}`);
    for (const name of own) keep(name);
    expect(await names({ projectRef, sortBy: "createdAt", sortOrder: "asc" })).toEqual(own);
    expect(scenario.calls("listSnippets")).toBe(2);
    expect(await names({ projectRef: other })).toEqual(["elsewhere"]);
    expect(await names()).toHaveLength(102);
  });

  it("is one call for many that ask at the same time", async () => {
    await Promise.all(Array.from({ length: 10 }, () => names({ projectRef })));
    expect(scenario.calls("listSnippets")).toBe(1);
  });

  it("says which project is not there, and how snippets are sorted", async () => {
    const error = await errorOf(scenario, "getSnippets", { projectRef: NOBODY });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
    expect(faults("getSnippets", { sortBy: "size" })).toEqual([
      'sortBy: got "size"; allowed: "name", "createdAt"',
    ]);
  });
});

describe("getSnippet", () => {
  it("returns a snippet with its SQL, and what the listing tells of it", async () => {
    const snippetId = keep("orders");
    const at = new Date(scenario.clock.now()).toISOString();
    const owner = { id: expect.any(Number) as number, username: "owner" };
    const snippet = {
      ...{ snippetId, name: "orders", type: "sql", visibility: "project", favorite: false },
      ...{ projectName: "app", owner, updatedBy: owner, createdAt: at, updatedAt: at },
    };
    expect(await invoke(scenario, "getSnippet", { snippetId })).toEqual({
      ...snippet,
      sql: "select 'orders'",
    });
    expect(await invoke(scenario, "getSnippets", { projectRef })).toEqual({ snippets: [snippet] });
  });

  // service, Snippets: one that is not there is 406 or 404.
  it.each([406, 404])(
    "says which snippet is not there, and how to find one, where the service answers %i",
    async (status) => {
      const snippetId = "0f8fad5b-d9cb-469f-a165-70867728950e";
      const { control } = scenario.emulator;
      // Without a fault the emulator answers 406.
      if (status !== 406)
        control.addFault({ operation: "getSnippet", status, message: "Failed to retrieve SQL snippet" });
      const error = await errorOf(scenario, "getSnippet", { snippetId });
      expect(control.calls({ operation: "getSnippet" }).map((call) => call.status)).toEqual([status]);
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.message).toBe(
        `No snippet has the identifier ${snippetId}: check \`snippetId\`, for example with \`getSnippets\`. The service says: Failed to retrieve SQL snippet.`,
      );
    },
  );

  it("does not take a gateway's 406 for a snippet that is not there", async () => {
    const snippetId = keep("orders");
    const body = "<html><body>Not Acceptable</body></html>";
    scenario.emulator.control.addFault({ operation: "getSnippet", status: 406, body });
    const error = await errorOf(scenario, "getSnippet", { snippetId });
    expect(error).not.toBeInstanceOf(NotFoundError);
    expect(error.message).toContain("406");
  });

  it("refuses what is no identifier", () => {
    expect(faults("getSnippet", { snippetId: "orders" })).toEqual([
      'snippetId: got "orders"; expected a UUID, as `0f8fad5b-d9cb-469f-a165-70867728950e`',
    ]);
  });
});

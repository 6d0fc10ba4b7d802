import { CancelledError, ResponseSchemaError } from "../../../provider/client/errors/errors";
import type { Received, Reply } from "./http-service";
import { closeAll, failureOf, json, REF, setUp } from "./setup";

afterEach(closeAll);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function numbers(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `run-${from + index}`);
}

function runs(ids: readonly string[]): Reply {
  return json(ids.map((id) => ({ id })));
}

function numberIn({ url }: Received, name: string, absent: number): number {
  return Number(url.searchParams.get(name) ?? absent);
}

/** A page of projects as a service with `total` of them answers, at most `most` at a time. */
function projectsPage(request: Received, total: number, most = 100): Reply {
  const offset = numberIn(request, "offset", 0);
  const limit = Math.min(numberIn(request, "limit", most), most);
  const projects = numbers(offset, Math.min(offset + limit, total)).map((ref) => ({ ref }));
  return json({ projects, pagination: { count: total, limit, offset } });
}

describe("projects of an organization", () => {
  it("come page by page, with the listing's other parameters", async () => {
    const { client, service } = await setUp((request) => projectsPage(request, 250));
    const projects = await all(
      client.iterate.listOrganizationProjects({ slug: "acme", search: "shop", sort: "name_asc" }),
    );
    expect(projects.map(({ ref }) => ref)).toEqual(numbers(0, 250));
    expect(service.requests.map(({ url }) => url.pathname + url.search)).toEqual(
      [0, 100, 200].map(
        (offset) => `/v1/organizations/acme/projects?offset=${offset}&limit=100&search=shop&sort=name_asc`,
      ),
    );
  });

  it("cost one call when they fit on a page", async () => {
    const { client, service } = await setUp((request) => projectsPage(request, 3));
    expect(await all(client.iterate.listOrganizationProjects({ slug: "acme", pageSize: 10 }))).toHaveLength(
      3,
    );
    expect(service.requests).toHaveLength(1);
  });

  it("all come where the service gives fewer at a time than it is asked for", async () => {
    const { client } = await setUp((request) => projectsPage(request, 25, 10));
    const projects = await all(client.iterate.listOrganizationProjects({ slug: "acme" }));
    expect(projects.map(({ ref }) => ref)).toEqual(numbers(0, 25));
  });

  it("all come where the service counts a page's objects only", async () => {
    const { client } = await setUp((request) => {
      const offset = numberIn(request, "offset", 0);
      const projects = numbers(offset, Math.min(offset + 10, 25)).map((ref) => ({ ref }));
      return json({ projects, pagination: { count: projects.length, limit: 10, offset } });
    });
    expect(await all(client.iterate.listOrganizationProjects({ slug: "acme", pageSize: 10 }))).toHaveLength(
      25,
    );
  });

  it("are not none where the service says nothing", async () => {
    const { client } = await setUp(() => json({}));
    await expect(all(client.iterate.listOrganizationProjects({ slug: "acme" }))).rejects.toThrow(
      "the answer has no `projects`",
    );
    await expect(all(client.iterate.listSnippets())).rejects.toThrow("the answer has no `data`");
  });
});

describe("action runs", () => {
  it("come until a page is empty: a short page is not the last", async () => {
    const pages = [numbers(0, 10), numbers(10, 13), numbers(13, 20), []];
    const { client, service } = await setUp((_, index) => runs(pages[index] ?? ["beyond"]));
    const found = await all(client.iterate.listActionRuns({ ref: REF, pageSize: 10 }));
    expect(found.map(({ id }) => id)).toEqual(numbers(0, 20));
    expect(service.requests.map(({ url }) => url.search)).toEqual(
      [0, 10, 13, 20].map((offset) => `?offset=${offset}&limit=10`),
    );
  });

  it("come once although newer ones moved them to the next page", async () => {
    const { client } = await setUp((request) => {
      const offset = numberIn(request, "offset", 0);
      // Three runs begin after the first page was read.
      const present = offset === 0 ? numbers(0, 25) : ["new-1", "new-2", "new-3", ...numbers(0, 25)];
      return runs(present.slice(offset, offset + 10));
    });
    const found = await all(client.iterate.listActionRuns({ ref: REF, pageSize: 10 }));
    expect(found.map(({ id }) => id)).toEqual(numbers(0, 25));
  });

  it("end with an error where the service knows no offset", async () => {
    const { client, service } = await setUp(() => runs(numbers(0, 10)));
    const failure = await failureOf(all(client.iterate.listActionRuns({ ref: REF, pageSize: 10 })));
    expect(failure).toBeInstanceOf(ResponseSchemaError);
    expect(failure.message).toBe(
      "listActionRuns: the service returned 10 pages in a row without new objects, and none of them is the last. " +
        "The listing may be incomplete; try again or report it.",
    );
    expect(service.requests).toHaveLength(11);
  });
});

describe("snippets", () => {
  it("come along their cursors", async () => {
    const pages: Readonly<Record<string, object>> = {
      none: { data: [{ id: "a" }, { id: "b" }], cursor: "c 1" },
      "c 1": { data: [], cursor: "c2" },
      c2: { data: [{ id: "c" }] },
    };
    const { client, service } = await setUp(({ url }) =>
      json(pages[url.searchParams.get("cursor") ?? "none"]),
    );
    const snippets = await all(client.iterate.listSnippets({ project_ref: REF, pageSize: 2 }));
    expect(snippets.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(service.requests.map(({ url }) => url.search)).toEqual([
      `?project_ref=${REF}&limit=2`,
      `?project_ref=${REF}&cursor=c+1&limit=2`,
      `?project_ref=${REF}&cursor=c2&limit=2`,
    ]);
  });

  it.each([
    ["the same cursor again", () => "c1"],
    ["cursors in a circle", (index: number) => `c${index % 3}`],
    ["an empty cursor", (index: number) => (index === 3 ? "" : `c${index}`)],
    ["null for a cursor", (index: number) => (index === 3 ? null : `c${index}`)],
  ])("end at %s", async (_, cursorAt) => {
    const { client, service } = await setUp((__, index) =>
      json({ data: [{ id: `snippet-${index}` }], cursor: cursorAt(index) }),
    );
    const snippets = await all(client.iterate.listSnippets());
    expect(snippets).toHaveLength(service.requests.length);
    expect(service.requests.length).toBeLessThanOrEqual(4);
  });

  it("end with an error where ever new cursors lead to nothing new", async () => {
    const { client, service } = await setUp((_, index) => json({ data: [{ id: "a" }], cursor: `c${index}` }));
    expect(await failureOf(all(client.iterate.listSnippets()))).toBeInstanceOf(ResponseSchemaError);
    expect(service.requests).toHaveLength(11);
  });
});

describe("an iteration", () => {
  it("asks for nothing before its first object is wanted", async () => {
    const { client, service } = await setUp((request) => projectsPage(request, 5));
    const projects = client.iterate.listOrganizationProjects({ slug: "acme" });
    expect(service.requests).toEqual([]);
    expect((await projects.next()).value?.ref).toBe("run-0");
    expect(service.requests).toHaveLength(1);
  });

  it("asks for no page that is not wanted", async () => {
    const { client, service } = await setUp((request) => projectsPage(request, 250));
    for await (const { ref } of client.iterate.listOrganizationProjects({ slug: "acme" })) {
      if (ref === "run-99") break;
    }
    expect(service.requests).toHaveLength(1);
  });

  it("ends at once when it is cancelled", async () => {
    const cancel = new AbortController();
    const { client, service } = await setUp((request) => projectsPage(request, 250));
    const found: string[] = [];
    const iteration = async (): Promise<void> => {
      const options = { signal: cancel.signal };
      for await (const { ref } of client.iterate.listOrganizationProjects({ slug: "acme" }, options)) {
        found.push(ref);
        if (found.length === 2) cancel.abort();
      }
    };
    expect(await failureOf(iteration())).toBeInstanceOf(CancelledError);
    expect(found).toEqual(numbers(0, 2));
    expect(service.requests).toHaveLength(1);
  });

  it("repeats a page that failed, not those before it", async () => {
    const { client, service } = await setUp((request, index) =>
      index === 1 ? json({}, 503) : projectsPage(request, 150),
    );
    expect(await all(client.iterate.listOrganizationProjects({ slug: "acme" }))).toHaveLength(150);
    expect(service.requests.map(({ url }) => url.searchParams.get("offset"))).toEqual(["0", "100", "100"]);
  });
});

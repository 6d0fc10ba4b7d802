import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MovableClock, Refusal, startEmulator, type Emulator } from "../../../../emulator";
import { removeAtPath, setAtPath } from "../../../../emulator/desk/control/state-path";
import { toPlain } from "../../../../emulator/desk/control/snapshot";
import { ref, startTinyService, type TinyService } from "../../service/server/tiny-service";
import { fault } from "../../../../emulator/desk/control/control-routes";
import { shapeText } from "../../../../emulator/desk/control/shape-text";
import { schemaAt } from "../../../../emulator/desk/control/state-shape";

describe("control in the process", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  it("runs an operation from outside: without token, limits, faults or a log entry", async () => {
    const { control } = service.emulator;
    control.addFault({ status: 500 });
    for (let count = 0; count < 130; count += 1) expect(control.call("getProject", { ref }).ref).toBe(ref);
    expect(service.ledger).toHaveLength(130);
    expect(control.calls()).toEqual([]);
    control.clearFaults();
    expect((await service.send("GET", `/v1/projects/${ref}`)).headers.get("x-ratelimit-remaining")).toBe(
      "119",
    );
  });

  it("validates a call from outside like any other", () => {
    const { control } = service.emulator;
    expect(() => control.call("createSecrets", { ref: "SHORT", body: [{ name: "A", value: "1" }] })).toThrow(
      Refusal,
    );
    expect(() => control.call("getHealth", { ref, services: [], timeout_ms: -1 })).toThrow("timeout_ms");
    expect(service.ledger).toEqual([]);
  });

  it("filters, counts and clears the calls", async () => {
    const { control } = service.emulator;
    await service.send("GET", `/v1/projects/${ref}`);
    await service.send("GET", "/v1/projects");
    await service.send("GET", "/v1/nowhere");
    expect(control.calls({ pathContains: ref }).map(({ operation }) => operation)).toEqual(["getProject"]);
    expect(control.countCalls({ operation: "listProjects" })).toBe(1);
    expect(control.countCalls({ status: 404 })).toBe(1);
    expect(control.countCalls()).toBe(3);
    control.clearCalls();
    expect(control.countCalls()).toBe(0);
  });

  it("numbers calls in the order of their arrival and stamps them with the emulator's time", async () => {
    const { control } = service.emulator;
    await service.send("GET", "/v1/projects");
    service.clock.advance(5_000);
    await service.send("GET", "/v1/projects");
    const [first, second] = control.calls();
    expect((second?.sequence ?? 0) - (first?.sequence ?? 0)).toBe(1);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(5_000);
  });

  it("moves the clock, unless it was started with one that stands", async () => {
    const before = service.clock.now();
    service.emulator.control.advance(1_500);
    expect(service.clock.now() - before).toBe(1_500);
    expect(() => service.emulator.control.advance(-1)).toThrow("forward only");
    const fixed = await startEmulator({ clock: { now: () => 0 } });
    expect(() => fixed.control.advance(1)).toThrow("cannot be moved");
    await fixed.close();
  });

  it("sets the pace", () => {
    service.emulator.control.setPace(0.5);
    expect(service.emulator.world.pace).toBe(0.5);
    expect(() => service.emulator.control.setPace(-1)).toThrow("A pace is a number from 0 up");
    service.emulator.control.setPace(1);
  });

  it("goes back to the seed: tokens, windows and logs; the seeded token stays valid", async () => {
    const { control, accessToken } = service.emulator;
    const extra = control.createToken();
    control.revokeToken(accessToken);
    control.addFault({ status: 500 });
    control.reset();
    expect(control.pendingFaults()).toEqual([]);
    expect((await service.send("GET", "/v1/projects")).headers.get("x-ratelimit-remaining")).toBe("119");
    const headers = { authorization: `Bearer ${extra}` };
    expect((await service.send("GET", "/v1/projects", { headers })).status).toBe(401);
  });

  it("seeds organizations and tokens", async () => {
    const emulator = await startEmulator({
      clock: new MovableClock(),
      seed: {
        organizations: [{ slug: "globex", name: "Globex" }],
        tokens: [{ token: "first" }, { permissions: ["projects_read"], token: "second" }],
      },
    });
    expect(emulator.accessToken).toBe("first");
    expect(emulator.control.call("listOrganizations", {}).map(({ slug }) => slug)).toEqual(["globex"]);
    const response = await fetch(`${emulator.url}/v1/organizations`, {
      headers: { authorization: "Bearer second" },
    });
    expect(response.status).toBe(403);
    await emulator.close();
  });

  it("edits the state directly and shows it as plain JSON", () => {
    const { control, world } = service.emulator;
    const untouched = control.snapshot();
    control.edit((state) => state.organizations.clear());
    expect(world.state.organizations.size).toBe(0);
    expect(control.snapshot()).toMatchObject({ organizations: {} });
    control.reset();
    expect(control.snapshot()).toEqual(untouched);
  });

  it("gives out references that differ", () => {
    const refs = Array.from({ length: 100 }, () => service.emulator.world.newRef());
    expect(new Set(refs).size).toBe(100);
    for (const given of refs) expect(given).toMatch(/^[a-z]{20}$/);
    expect(service.emulator.world.newId()).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("stops listening when closed, even with open connections", async () => {
    const brief = await startTinyService();
    await brief.send("GET", "/v1/projects");
    await brief.emulator.close();
    await expect(brief.send("GET", "/v1/projects")).rejects.toThrow();
  });
});

describe("paths of the state", () => {
  const make = (): {
    projects: Map<string, { name: string; tags: string[]; note?: string }>;
    byNumber: Map<number, string>;
  } => ({
    projects: new Map([["abc", { name: "shop", tags: ["a", "b"] }]]),
    byNumber: new Map([[7, "seven"]]),
  });

  it("reach into objects, maps and arrays", () => {
    const state = make();
    setAtPath(state, "projects.abc.name", "store");
    setAtPath(state, ["projects", "abc", "tags", 1], "c");
    setAtPath(state, "projects.abc.tags.2", "d");
    setAtPath(state, "byNumber.7", "VII");
    expect(state.projects.get("abc")).toEqual({ name: "store", tags: ["a", "c", "d"] });
    expect(state.byNumber).toEqual(new Map([[7, "VII"]]));
    removeAtPath(state, "projects.abc.tags.0");
    expect(state.projects.get("abc")?.tags).toEqual(["c", "d"]);
    removeAtPath(state, "projects.abc");
    expect(state.projects.size).toBe(0);
  });

  it("add to a map freely, and to an object only when told to", () => {
    const state = make();
    setAtPath(state, ["projects", "d.e"], { name: "new", tags: [] });
    expect(state.projects.get("d.e")?.name).toBe("new");
    expect(() => setAtPath(state, "projects.abc.note", "x")).toThrow(
      'Nothing called "note" in "projects.abc"',
    );
    setAtPath(state, "projects.abc.note", "x", true);
    expect(state.projects.get("abc")?.note).toBe("x");
  });

  it.each([
    ["nowhere", 'Nothing called "nowhere" in the state: it has projects, byNumber'],
    ["projects.zzz.name", 'Nothing called "zzz" in "projects": it has abc'],
    ["projects.abc.tags.9", 'Nothing called "9" in "projects.abc.tags": it has 0, 1'],
    ["projects.abc.name.first", 'Nothing lies below "projects.abc.name"'],
    ["", "The path is empty"],
  ])("say what exists when %j does not", (path, message) => {
    expect(() => setAtPath(make(), path, 1)).toThrow(message);
    expect(() => removeAtPath(make(), path)).toThrow(message);
  });

  it("show everything that a state can hold as plain JSON", () => {
    const held = {
      at: new Date(0),
      set: new Set([1]),
      bytes: new Uint8Array([104, 105]),
      nested: make(),
      gone: undefined,
    };
    expect(toPlain(held)).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      set: [1],
      bytes: "aGk=",
      nested: { projects: { abc: { name: "shop", tags: ["a", "b"] } }, byNumber: { 7: "seven" } },
    });
  });
});

describe("an edit of the wrong shape", () => {
  let emulator: Emulator;
  let ref: string;
  beforeAll(async () => {
    emulator = await startEmulator({ pace: 0 });
  });
  beforeEach(() => {
    emulator.control.reset();
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    ({ ref } = emulator.control.call("createProject", { body }));
  });
  afterAll(() => emulator.close());

  async function edit(change: Record<string, unknown>): Promise<{ status: number; message: string }> {
    const response = await fetch(`${emulator.url}/_control/edit`, {
      method: "POST",
      body: JSON.stringify(change),
    });
    const { message = "" } = (await response.json()) as { message?: string };
    return { status: response.status, message };
  }

  it("says what the place takes, over HTTP", async () => {
    const path = `projects.${ref}.next.branchFailure`;
    const refused = await edit({ path, value: "migrate" });
    expect(refused).toEqual({
      status: 400,
      message:
        `Nothing was changed, as the state would lose its shape. "${path}": Invalid input: expected object, ` +
        'received string; it takes { step: "clone" | "pull" | "health" | "configure" | "migrate" | "seed" | ' +
        '"deploy", log: string } | null',
    });
    expect(await edit({ path, value: { step: "migrate", log: "relation is missing" } })).toMatchObject({
      status: 200,
    });
  });

  it.each([
    ["a number for a text", "organizations.acme.name", 7],
    ["a quota that is no number", "functionQuotas.pro", "many"],
    ["a key that no map of this kind has", "projects.REF.unhealthyServices.moon", "full"],
    ["half a record", "projects.REF.secrets.KEY", { value: "x" }],
    ["a record with a key too many", "organizations.acme.members.owner", { colour: "red" }],
    ["a member of a union that does not fit the rest", "projects.REF.disk.attributes.type", "io2 "],
    ["a list for a map", "dnsTxt", []],
    ["an element of a list", "organizations.acme.allowedReleaseChannels.0", "stable"],
  ])("changes nothing: %s", async (_what, path, value) => {
    const before = emulator.control.snapshot();
    const place = path.replace("REF", ref);
    const refused = await edit({ path: place, value });
    expect(refused.status).toBe(400);
    expect(refused.message).toMatch(/^Nothing was changed/);
    expect(refused.message).toContain(place);
    expect(() => emulator.control.set(place, value)).toThrow(Refusal);
    expect(emulator.control.snapshot()).toEqual(before);
  });

  it("says the first of many faults, and how many there are", async () => {
    const members = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`user${index}`, { colour: "red" }]),
    );
    const { message } = await edit({ path: "organizations.acme.members", value: members });
    expect(message).toContain("organizations.acme.members.user0");
    expect(message).toMatch(/\. And \d+ more like these$/);
    expect(message.length).toBeLessThan(3_000);
  });

  it("cannot add what no shape knows, unless the service itself may know more", async () => {
    expect(await edit({ path: `projects.${ref}.colour`, value: "red", create: true })).toMatchObject({
      status: 400,
      message: `Nothing was changed: "projects.${ref}.colour" is no place in the state's shape`,
    });
    const path = `projects.${ref}.postgresOverrides.log_connections`;
    expect(await edit({ path, value: true, create: true })).toMatchObject({ status: 200 });
  });

  it("cannot remove what every record has", async () => {
    const refused = await edit({ path: `projects.${ref}.name`, delete: true });
    expect(refused.status).toBe(400);
    expect(refused.message).toContain(`"projects.${ref}.name"`);
    expect(emulator.world.state.projects.get(ref)?.name).toBe("shop");
  });

  it("changes nothing in code either, also of what it had changed before it went wrong", () => {
    const { control, world } = emulator;
    const before = control.snapshot();
    const project = world.state.projects.get(ref);
    expect(() =>
      control.edit((state) => {
        state.lastProjectNumber = 99;
        state.organizations.delete("acme");
        state.dnsTxt.set("example.com", ["x"]);
        state.signingKeyMoves.in_use.push("revoked");
        Reflect.set(state.projects.get(ref)?.next ?? {}, "branchFailure", "migrate");
      }),
    ).toThrow(`"projects.${ref}.next.branchFailure": Invalid input`);
    expect(control.snapshot()).toEqual(before);
    expect(world.state.projects.get(ref)).toBe(project);
  });

  it("is undone as well when the edit itself fails half-way", () => {
    const { control, world } = emulator;
    const failing = (): void =>
      control.edit((state) => {
        state.projects.clear();
        throw new Error("no further");
      });
    expect(failing).toThrow("no further");
    expect(world.state.projects.has(ref)).toBe(true);
  });

  it("does not keep anybody from setting whole maps, given as JSON or as maps", async () => {
    const path = `projects.${ref}.unhealthyServices`;
    expect(await edit({ path, value: { db: "disk is missing" } })).toMatchObject({ status: 200 });
    const unhealthy = (): unknown => emulator.world.state.projects.get(ref)?.unhealthyServices;
    expect(unhealthy()).toEqual(new Map([["db", "disk is missing"]]));
    emulator.control.set(path, new Map([["rest", "gone"]]));
    expect(unhealthy()).toEqual(new Map([["rest", "gone"]]));
  });
});

describe("the shapes that an edit takes", () => {
  const page = readFileSync(join(__dirname, "..", "..", "..", "..", "docs", "emulator.md"), "utf8");
  const blocks = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

  /** Keys that stand for one of many in the page's paths, with one that is right in each. */
  const examples: Readonly<Record<string, string>> = { "<region>": "eu-west-1", "<plan>": "free" };

  function shapeAt(path: string): string {
    const schema = schemaAt(path.split(".").map((key) => examples[key] ?? key));
    if (schema === undefined) throw new Error(`Nothing lies at ${path} in the state`);
    return shapeText(schema);
  }

  /** As the page spells it: long choices one below the other. */
  function spelt(name: string, shape: string): string {
    if (`${name}: ${shape}`.length <= 110) return `${name}: ${shape}\n`;
    // Not within braces or brackets, which hold one shape.
    const options = shape.split(/ \| (?![^{(]*[})])/);
    const lines = options.length > 1 ? options.map((option) => `| ${option}`) : options;
    return `${name}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
  }

  describe("the page on the emulator", () => {
    const start = page.indexOf("| path in the state");
    const table = page.slice(start, page.indexOf("\n\n", start));
    const firstCells = table
      .split("\n")
      .slice(2)
      .map((row) => row.split(" | ")[0] ?? "");
    const paths = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));

    it("tells the shape of everything that its table says can be edited", () => {
      expect(paths.length).toBeGreaterThan(15);
      expect(blocks[0]).toBe(paths.map((path) => spelt(path, shapeAt(path))).join(""));
    });

    it("tells what a fault is made of", () => {
      const fields = Object.entries(fault.shape).map(([name, field]) => spelt(`${name}?`, shapeText(field)));
      expect(blocks[1]).toBe(fields.join(""));
    });
  });
});

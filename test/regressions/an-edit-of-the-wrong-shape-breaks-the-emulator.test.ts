import { Refusal, startEmulator, type Emulator } from "../../emulator";

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

import { createRulesWorld, type RulesWorld } from "../rules-world";

const file = (name: string, text: string) => ({ name, content: new TextEncoder().encode(text) });

describe("an edge function", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  function deploy(metadata: object = {}, files = [file("index.ts", "one")], bundleOnly = false) {
    const body = { metadata: { entrypoint_path: "index.ts", ...metadata }, file: files };
    return service.call("deployFunction", { ref, slug: "hello", bundleOnly, body });
  }

  it("is created by the first deploy, and each further one raises its version", () => {
    const first = deploy({ name: "Hello" });
    expect(first).toMatchObject({
      slug: "hello",
      name: "Hello",
      version: 1,
      status: "ACTIVE",
      verify_jwt: true,
    });
    service.advance(60);
    const second = deploy({}, [file("index.ts", "two")]);
    expect(second).toMatchObject({ id: first.id, name: "Hello", version: 2, created_at: first.created_at });
    expect(second.ezbr_sha256).not.toBe(first.ezbr_sha256);
    expect(service.call("getFunction", { ref, function_slug: "hello" })).toEqual(second);
    expect(service.call("listFunctions", { ref })).toEqual([second]);
  });

  it("are as many as the plan allows", () => {
    const { functionQuotas } = service.world.state;
    expect(functionQuotas).toMatchObject({ free: 100, pro: 1000, team: 2000 });
    functionQuotas.pro = 1;
    deploy();
    const body = { metadata: { entrypoint_path: "index.ts" }, file: [file("index.ts", "one")] };
    expect(service.refusal("deployFunction", { ref, slug: "second", body })).toMatch(
      /^402 .*the plan pro allows 1$/,
    );
  });

  it("has a checksum of all its files and its metadata, whatever their order", () => {
    const both = [file("index.ts", "one"), file("lib/a.ts", "a")];
    const sha = deploy({}, both).ezbr_sha256;
    expect(deploy({}, both.toReversed()).ezbr_sha256).toBe(sha);
    expect(deploy({}, [file("index.ts", "one"), file("lib/a.ts", "b")]).ezbr_sha256).not.toBe(sha);
    expect(deploy({ static_patterns: ["*.html"] }, both).ezbr_sha256).not.toBe(sha);
    expect(deploy({ import_map_path: "lib/a.ts" }, both)).toMatchObject({
      import_map: true,
      import_map_path: "file:///lib/a.ts",
    });
    expect(
      [
        ...(service
          .projectRecord(ref)
          .bundles.get(sha ?? "")
          ?.files.keys() ?? []),
      ].sort(),
    ).toEqual(["index.ts", "lib/a.ts"]);
  });

  it("keeps whether it verifies tokens when a redeploy does not say", () => {
    expect(deploy({ verify_jwt: false }).verify_jwt).toBe(false);
    expect(deploy().verify_jwt).toBe(false);
    expect(deploy({ verify_jwt: true }).verify_jwt).toBe(true);
  });

  it("needs its entrypoint and its import map among the files", () => {
    const refused = (metadata: object, files = [file("index.ts", "one")]): string =>
      service.refusal("deployFunction", {
        ref,
        slug: "hello",
        body: { metadata: { entrypoint_path: "index.ts", ...metadata }, file: files },
      });
    expect(refused({ entrypoint_path: "main.ts" })).toMatch(/^400 metadata.entrypoint_path: main.ts/);
    expect(refused({ import_map_path: "deno.json" })).toMatch(/^400 metadata.import_map_path: deno.json/);
    expect(refused({}, [])).toBe("400 file: Required");
    expect(deploy({ entrypoint_path: "./index.ts" }).entrypoint_path).toBe("file:///index.ts");
  });

  it("is not there when it was only bundled, until the bulk update makes it", () => {
    const bundle = deploy({}, undefined, true);
    expect(bundle.version).toBe(1);
    expect(service.call("listFunctions", { ref })).toEqual([]);
    const { functions } = service.call("updateFunctions", { ref, body: [bundle] });
    expect(functions).toEqual([expect.objectContaining({ slug: "hello", ezbr_sha256: bundle.ezbr_sha256 })]);
    expect(service.call("listFunctions", { ref })).toEqual(functions);
  });

  it("is replaced in bulk with the version that the caller gives, and the same again changes nothing", () => {
    const before = deploy({ verify_jwt: false });
    const body = [{ ...before, name: "Renamed", version: 7 }];
    service.advance(60);
    const { functions } = service.call("updateFunctions", { ref, body });
    expect(functions).toEqual([
      expect.objectContaining({
        name: "Renamed",
        version: 7,
        verify_jwt: false,
        created_at: before.created_at,
      }),
    ]);
    service.advance(60);
    expect(service.call("updateFunctions", { ref, body }).functions).toEqual(functions);
  });

  it("is renamed and protected without a new version", () => {
    deploy();
    const update = { ref, function_slug: "hello" };
    expect(
      service.call("updateFunction", { ...update, body: { name: "Hi", verify_jwt: false } }),
    ).toMatchObject({
      name: "Hi",
      verify_jwt: false,
      version: 1,
    });
    expect(
      service.call("updateFunction", { ...update, verify_jwt: true, name: "Ho", body: {} }),
    ).toMatchObject({
      name: "Ho",
      verify_jwt: true,
      version: 1,
    });
    expect(service.call("updateFunction", { ...update, body: { body: "other code" } }).version).toBe(2);
  });

  it("is unknown once it is deleted", () => {
    deploy();
    service.call("deleteFunction", { ref, function_slug: "hello" });
    expect(service.refusal("getFunction", { ref, function_slug: "hello" })).toBe("404 Function not found");
    expect(service.refusal("deleteFunction", { ref, function_slug: "hello" })).toBe("404 Function not found");
    expect(service.refusal("updateFunction", { ref, function_slug: "hello", body: {} })).toBe(
      "404 Function not found",
    );
  });

  it("is refused with 402 once the plan's quota is reached", () => {
    service.world.state.functionQuotas.pro = 1;
    deploy();
    const body = { metadata: { entrypoint_path: "index.ts" }, file: [file("index.ts", "one")] };
    expect(service.refusal("deployFunction", { ref, slug: "second", body })).toMatch(/^402 .*allows 1$/);
    const record = { ...deploy(), id: "new", slug: "second" };
    expect(service.refusal("updateFunctions", { ref, body: [record] })).toMatch(/^402/);
    expect(deploy().version).toBe(3);
    service.call("deployFunction", { ref, slug: "second", bundleOnly: true, body });
  });
});

describe("a bulk update without a checksum", () => {
  it("makes a function of the bundle that a deploy prepared, and keeps the one that is there", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    const body = { metadata: { entrypoint_path: "index.ts" }, file: [file("index.ts", "one")] };
    const prepared = service.call("deployFunction", { ref, slug: "hello", bundleOnly: true, body });
    const { ezbr_sha256: sha256, ...record } = prepared;
    const bulk = () => service.call("updateFunctions", { ref, body: [record] }).functions[0]?.ezbr_sha256;
    expect([bulk(), bulk()]).toEqual([sha256, sha256]);
    const code = service.call("getFunctionBody", { ref, function_slug: "hello" });
    expect(Buffer.from(code).toString()).toContain("one");
  });
});

describe("a bundle that a deploy prepared", () => {
  const service = createRulesWorld();
  const body = (code: string) => ({
    metadata: { entrypoint_path: "index.ts" },
    file: [file("index.ts", code)],
  });
  const deployed = (ref: string, code: string, bundleOnly = false) =>
    service.call("deployFunction", { ref, slug: "hello", bundleOnly, body: body(code) });
  const checksumAfter = (ref: string, record: object): string | undefined => {
    const { functions } = service.call("updateFunctions", { ref, body: [record as never] });
    return functions[0]?.ezbr_sha256;
  };

  it("is used up by the bulk update, so that a later one keeps what was set in between", () => {
    const ref = service.healthyProject();
    const { ezbr_sha256: prepared, ...record } = deployed(ref, "one", true);
    const { ezbr_sha256: other = "" } = deployed(service.healthyProject("other"), "two");
    expect(checksumAfter(ref, record)).toBe(prepared);
    expect(checksumAfter(ref, { ...record, ezbr_sha256: other })).toBe(other);
    expect(checksumAfter(ref, record)).toBe(other);
  });

  it("outlives a deploy that is refused", () => {
    const ref = service.healthyProject();
    const { ezbr_sha256: prepared, ...record } = deployed(ref, "one", true);
    service.world.state.functionQuotas.pro = 0;
    expect(service.refusal("deployFunction", { ref, slug: "hello", body: body("two") })).toMatch(/^402/);
    service.world.state.functionQuotas.pro = 500;
    expect(checksumAfter(ref, record)).toBe(prepared);
  });
});

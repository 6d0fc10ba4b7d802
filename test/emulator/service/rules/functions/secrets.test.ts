import { createHash } from "node:crypto";
import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("function secrets", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const names = (): string[] => service.call("listSecrets", { ref }).map(({ name }) => name);

  it("are created and overwritten in bulk, and come back as their SHA-256", () => {
    service.call("createSecrets", {
      ref,
      body: [
        { name: "B", value: "two" },
        { name: "A", value: "one" },
      ],
    });
    service.advance(60);
    service.call("createSecrets", { ref, body: [{ name: "A", value: "other" }] });
    expect(service.call("listSecrets", { ref })).toEqual([
      {
        name: "A",
        value: createHash("sha256").update("other").digest("hex"),
        updated_at: "2026-01-01T00:03:00.000Z",
      },
      {
        name: "B",
        value: createHash("sha256").update("two").digest("hex"),
        updated_at: "2026-01-01T00:02:00.000Z",
      },
    ]);
  });

  it("are at most a hundred, without the seven of the service, which are listed from the first function on", () => {
    const secret = (index: number) => ({ name: `S${index}`, value: "x" });
    const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
    service.call("deployFunction", {
      ref,
      slug: "a",
      body: { metadata: { entrypoint_path: "index.ts" }, file },
    });
    expect(names().filter((name) => name.startsWith("SVC_"))).toHaveLength(7);
    service.call("createSecrets", { ref, body: Array.from({ length: 100 }, (_, index) => secret(index)) });
    expect(service.refusal("createSecrets", { ref, body: [secret(100)] })).toBe(
      "400 You can only store 100 secrets per project at maximum.",
    );
    service.call("createSecrets", { ref, body: [secret(7)] });
    service.world.state.service = "2026-06";
    service.call("createSecrets", { ref, body: [secret(100)] });
    expect(names()).toHaveLength(101);
  });

  it("are deleted by name, and unknown names are ignored", () => {
    service.call("createSecrets", { ref, body: [{ name: "A", value: "one" }] });
    service.call("deleteSecrets", { ref, body: ["A", "NONE"] });
    expect(names()).toEqual([]);
  });

  it("do not begin with the service's own prefix", () => {
    const body = [
      { name: "A", value: "one" },
      { name: "SVC_URL", value: "x" },
    ];
    expect(service.refusal("createSecrets", { ref, body })).toMatch(/^400 .*1\.name/);
    expect(names()).toEqual([]);
  });
});

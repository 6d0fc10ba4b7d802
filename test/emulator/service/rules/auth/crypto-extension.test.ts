import { createRulesWorld } from "../rules-world";

describe("the key of the crypto extension", () => {
  it("is of 32 bytes, each project's own, and shown in clear", () => {
    const service = createRulesWorld();
    const keys = ["shop", "blog"].map(
      (name) => service.call("getCryptoExtConfig", { ref: service.healthyProject(name) }).root_key,
    );
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it("is replaced by another, but not by none", () => {
    const service = createRulesWorld();
    const ref = service.healthyProject();
    const root_key = "0123456789abcdef".repeat(4);
    expect(service.call("updateCryptoExtConfig", { ref, body: { root_key } })).toEqual({ root_key });
    expect(service.refusal("updateCryptoExtConfig", { ref, body: { root_key: "" } })).toMatch(
      /^400 Expected a 32 byte secret/,
    );
    expect(service.call("getCryptoExtConfig", { ref })).toEqual({ root_key });
    const fresh = service.newProject();
    expect(service.refusal("updateCryptoExtConfig", { ref: fresh, body: { root_key } })).toMatch(
      /^400 Project/,
    );
  });
});

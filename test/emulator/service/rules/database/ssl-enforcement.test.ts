import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("SSL enforcement", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const get = () => service.call("getSslEnforcement", { ref });
  const put = (database: boolean) => ({ ref, body: { requestedConfig: { database } } });
  const status = (): string => service.call("getProject", { ref }).status;

  it("is off at first, which needed no applying", () => {
    expect(get()).toEqual({ currentConfig: { database: false }, appliedSuccessfully: true });
  });

  // service, SSL enforcement.
  it("is applied at once, and takes the opposite six seconds later", () => {
    for (const database of [true, false]) {
      const applied = { currentConfig: { database }, appliedSuccessfully: true };
      expect(service.call("updateSslEnforcement", put(database))).toEqual(applied);
      expect(get()).toEqual(applied);
      expect(status()).toBe("ACTIVE_HEALTHY");
      service.advance(6);
    }
  });

  it("can be made to be applied later, after a restart of the database", () => {
    Object.assign(service.world.state, { changesApplyLater: true, settingsRestartDatabase: true });
    expect(service.call("updateSslEnforcement", put(true))).toEqual({
      currentConfig: { database: true },
      appliedSuccessfully: false,
    });
    expect(status()).toBe("RESTARTING");
    expect(service.refusal("updateSslEnforcement", put(false))).toMatch(/^400 .*RESTARTING/);
    service.advance(15);
    expect(status()).toBe("ACTIVE_HEALTHY");
    expect(get()).toEqual({ currentConfig: { database: true }, appliedSuccessfully: true });
  });

  it("does not restart anything when it stays as it is", () => {
    service.call("updateSslEnforcement", put(false));
    expect(status()).toBe("ACTIVE_HEALTHY");
    expect(get().appliedSuccessfully).toBe(true);
  });

  it("can be set never to be applied", () => {
    service.projectRecord(ref).sslEnforcement.applies = false;
    service.call("updateSslEnforcement", put(true));
    service.advance(3_600);
    expect(get()).toEqual({ currentConfig: { database: true }, appliedSuccessfully: false });
  });
});

import { createRulesWorld, type RulesWorld } from "../rules-world";

// service, Custom hostname.
describe("a custom hostname", () => {
  let service: RulesWorld;
  let ref: string;
  beforeEach(() => {
    service = createRulesWorld();
    ref = service.healthyProject();
  });
  const buyAddon = (): void => {
    service.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
  };
  const begin = () =>
    service.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
  /** Until the record for the certificate shows. */
  const initialize = () => {
    const answer = begin();
    service.advance(3);
    return answer;
  };
  const publish = (): void => {
    const { ssl, ownership_verification: ownership } = service.call("getCustomHostname", { ref }).data.result;
    service.world.state.dnsTxt.set(ownership.name, ["something else", ownership.value]);
    for (const { txt_name, txt_value } of ssl.validation_records)
      service.world.state.dnsTxt.set(txt_name, [txt_value]);
  };

  /** One look for the ownership, one for the certificate. */
  const verify = (): void => {
    service.call("reverifyCustomHostname", { ref });
    service.call("reverifyCustomHostname", { ref });
  };

  it("needs the add-on", () => {
    for (const name of ["getCustomHostname", "reverifyCustomHostname", "activateCustomHostname"] as const) {
      expect(service.refusal(name, { ref })).toBe(
        "400 Please enable the Custom Domain add-on for the project first.",
      );
    }
    expect(service.refusal("initializeCustomHostname", { ref, body: { custom_hostname: "a.b" } })).toBe(
      "400 Please enable the Custom Domain add-on for the project first.",
    );
  });

  it("is 400 while none is configured", () => {
    buyAddon();
    for (const name of ["getCustomHostname", "activateCustomHostname"] as const) {
      expect(service.refusal(name, { ref })).toBe("400 No custom hostname configuration found.");
    }
    expect(service.refusal("reverifyCustomHostname", { ref })).toBe(
      "400 Project is not pending custom hostname verification.",
    );
  });

  it("is initialized once and tells the records to make", () => {
    buyAddon();
    expect(initialize()).toMatchObject({
      status: "2_initiated",
      custom_hostname: "db.example.com",
      data: { result: { ownership_verification: { type: "txt" }, ssl: { validation_records: [] } } },
    });
    expect(
      service.refusal("initializeCustomHostname", { ref, body: { custom_hostname: "other.example.com" } }),
    ).toMatch(/^544 /);
  });

  // Measured 2 to 24 s after the initialization, by either call.
  it.each(["getCustomHostname", "reverifyCustomHostname"] as const)(
    "shows the record for the certificate three seconds later, by %s",
    (operation) => {
      buyAddon();
      begin();
      service.advance(2.9);
      const { ssl } = service.call(operation, { ref }).data.result;
      expect(ssl.validation_records).toEqual([]);
      expect(ssl).not.toHaveProperty("validation_errors");
      service.advance(0.1);
      expect(service.call(operation, { ref }).data.result.ssl.validation_records).toEqual([
        { txt_name: "_acme-challenge.db.example.com", txt_value: expect.any(String) as unknown },
      ]);
    },
  );

  it("shows the record for the certificate at once, as the documents of 2026-06 say", () => {
    service.world.state.service = "2026-06";
    buyAddon();
    expect(begin().data.result.ssl.validation_records).toHaveLength(1);
  });

  it("is not verified by a record that it has not asked for yet", () => {
    buyAddon();
    begin();
    const { ownershipValue, validationValue } = service.projectRecord(ref).customHostname ?? {};
    service.world.state.dnsTxt.set("_ownership-verification.db.example.com", [ownershipValue ?? ""]);
    service.world.state.dnsTxt.set("_acme-challenge.db.example.com", [validationValue ?? ""]);
    verify();
    expect(service.call("getCustomHostname", { ref }).status).toBe("2_initiated");
    service.advance(3);
    expect(service.call("reverifyCustomHostname", { ref }).status).toBe("3_challenge_verified");
  });

  it("lists what its first look at the DNS did not find", () => {
    buyAddon();
    initialize();
    const { status, data } = service.call("reverifyCustomHostname", { ref });
    expect(status).toBe("2_initiated");
    expect(data.result.status).toBe("pending");
    expect(data.result.verification_errors).toHaveLength(1);
    expect(data.result.ssl.validation_errors).toHaveLength(1);
  });

  it("is owned by one look at the DNS and verified by the next, and then tells no validation records", () => {
    buyAddon();
    initialize();
    publish();
    const half = service.call("reverifyCustomHostname", { ref });
    expect(half.status).toBe("2_initiated");
    expect(half.data.result).toMatchObject({
      status: "active",
      ownership_verification: { type: "", name: "", value: "" },
      ssl: { status: "pending_validation", validation_records: [{}] },
    });
    expect(half.data.result).not.toHaveProperty("verification_errors");
    expect(half.data.result.ssl).not.toHaveProperty("validation_errors");
    expect(service.call("getCustomHostname", { ref }).status).toBe("2_initiated");
    const verified = service.call("reverifyCustomHostname", { ref });
    expect(verified.status).toBe("3_challenge_verified");
    expect(verified.data.result.ssl.validation_records).toEqual([]);
    expect(verified.data.result.ssl).not.toHaveProperty("validation_errors");
  });

  // 3_challenge_verified is one of the answers to a verification (service, Custom hostname). To refuse with "please proceed
  // to activation" would be wrong there: the activation is refused as too early.
  it("answers another verification with its status while its origin is still being set up", () => {
    buyAddon();
    initialize();
    publish();
    verify();
    service.advance(59);
    const again = service.call("reverifyCustomHostname", { ref });
    expect(again.status).toBe("3_challenge_verified");
    expect(again).toEqual(service.call("getCustomHostname", { ref }));
    expect(service.refusal("activateCustomHostname", { ref })).toBe(
      "400 Verification has not been completed.",
    );
    service.advance(1);
    expect(service.call("getCustomHostname", { ref }).status).toBe("4_origin_setup_completed");
  });

  it("refuses to be verified again once it is ready for activation, and when it is activated", () => {
    buyAddon();
    initialize();
    publish();
    verify();
    service.advance(60);
    expect(service.refusal("reverifyCustomHostname", { ref })).toBe(
      "400 Verification has been completed, please proceed to activation.",
    );
    expect(service.call("getCustomHostname", { ref }).status).toBe("4_origin_setup_completed");
    service.call("activateCustomHostname", { ref });
    expect(service.refusal("reverifyCustomHostname", { ref })).toBe(
      "400 Project is not pending custom hostname verification.",
    );
  });

  it("is activated once, and not before its origin is set up", () => {
    buyAddon();
    initialize();
    expect(service.refusal("activateCustomHostname", { ref })).toBe(
      "400 Verification has not been completed.",
    );
    publish();
    verify();
    expect(service.refusal("activateCustomHostname", { ref })).toBe(
      "400 Verification has not been completed.",
    );
    service.advance(60);
    expect(service.call("activateCustomHostname", { ref }).status).toBe("5_services_reconfigured");
    expect(service.refusal("activateCustomHostname", { ref })).toMatch(/^400 .*already/);
    expect(service.call("getCustomHostname", { ref }).status).toBe("5_services_reconfigured");
  });

  it("is removed, and its add-on with it only where the call says so", () => {
    buyAddon();
    initialize();
    service.call("removeCustomHostname", { ref });
    expect(service.refusal("getCustomHostname", { ref })).toBe("400 No custom hostname configuration found.");
    expect(service.refusal("removeCustomHostname", { ref })).toBe(
      "400 Custom hostname not configured for project",
    );
    expect(initialize().status).toBe("2_initiated");
    service.call("removeCustomHostname", { ref, remove_addon: true });
    expect(service.projectRecord(ref).addons.has("custom_domain")).toBe(false);
  });
});

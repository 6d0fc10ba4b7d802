import { ApiError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, faults, NOBODY } from "./invoke";
import { recordOf } from "./scenes";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const record = () => recordOf(scenario, projectRef);

describe("getEdgeFunctions", () => {
  it("tells every function as the service has it, once listed for many", async () => {
    const deployed = ["hello", "world"].map((slug) =>
      scenario.emulator.control.call("deployFunction", {
        ref: projectRef,
        slug,
        body: {
          file: [{ name: "index.ts", content: Buffer.from(`Deno.serve(() => new Response("${slug}"));`) }],
          metadata: { entrypoint_path: "index.ts", name: `The ${slug}`, verify_jwt: slug === "hello" },
        },
      }),
    );
    const [hello] = deployed;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        invoke<{ functions: object[] }>(scenario, "getEdgeFunctions", { projectRef }),
      ),
    );
    expect(answers[9]?.functions).toHaveLength(2);
    expect(answers[0]?.functions[0]).toEqual({
      slug: "hello",
      functionId: hello?.id,
      name: "The hello",
      verifyJwt: true,
      importMap: false,
      entrypointPath: "index.ts",
      version: 1,
      status: "ACTIVE",
      ezbrSha256: hello?.ezbr_sha256,
      createdAt: new Date(hello?.created_at ?? 0).toISOString(),
      updatedAt: new Date(hello?.updated_at ?? 0).toISOString(),
    });
    expect(scenario.calls("listFunctions")).toBe(1);
  });
});

describe("getPostgresConfig", () => {
  it("tells the overridden settings alone", async () => {
    expect(await invoke(scenario, "getPostgresConfig", { projectRef })).toEqual({});
    scenario.nextRun();
    scenario.emulator.control.call("updatePostgresConfig", {
      ref: projectRef,
      body: { max_connections: 90, work_mem: "8MB", hot_standby_feedback: false },
    });
    expect(await invoke(scenario, "getPostgresConfig", { projectRef })).toEqual({
      maxConnections: 90,
      workMem: "8MB",
      hotStandbyFeedback: false,
    });
    await invoke(scenario, "getPostgresConfig", { projectRef });
    expect(scenario.calls("getPostgresConfig")).toBe(2);
  });
});

describe("getHealth", () => {
  interface Health {
    readonly services: readonly { readonly name: string; readonly status: string; readonly info?: object }[];
  }

  it("tells the usual services, or those asked for, with what each says of itself", async () => {
    const { services } = await invoke<Health>(scenario, "getHealth", { projectRef });
    expect(services.map(({ name }) => name)).toEqual(["auth", "db", "pooler", "realtime", "rest", "storage"]);
    expect(new Set(services.map(({ status }) => status))).toEqual(new Set(["ACTIVE_HEALTHY"]));
    const infoOf = (name: string): unknown => services.find((each) => each.name === name)?.info;
    expect(infoOf("auth")).toMatchObject({ name: "auth", version: expect.any(String) as string });
    expect(infoOf("rest")).toEqual({ dbSchema: "public,graphql_public" });
    expect(infoOf("realtime")).toMatchObject({ dbConnected: true, connectedCluster: 1 });
    const some = await invoke<Health>(scenario, "getHealth", {
      projectRef,
      services: ["db"],
      timeoutMs: 500,
    });
    expect(some.services).toEqual([expect.objectContaining({ name: "db", healthy: true })]);
    const refused = { projectRef, services: ["db"], timeoutMs: -1 };
    expect(faults("getHealth", refused)).toEqual(["timeoutMs: got -1; at least 0 required"]);
  });

  it("tells what is wrong now, and does not wait for it", async () => {
    await invoke(scenario, "getHealth", { projectRef, services: ["rest", "db"] });
    record().unhealthyServices.set("rest", "it fell over");
    const { services } = await invoke<Health>(scenario, "getHealth", {
      projectRef,
      services: ["rest", "db"],
    });
    expect(services).toEqual([
      expect.objectContaining({ name: "rest", healthy: false, status: "UNHEALTHY", error: "it fell over" }),
      expect.objectContaining({ name: "db", healthy: true, status: "ACTIVE_HEALTHY" }),
    ]);
  });

  it("refuses a service that there is not, and a timeout out of range", () => {
    const lines = faults("getHealth", { projectRef, services: ["moon"], timeoutMs: 20_000 });
    expect(lines[0]).toContain('services[0]: got "moon"; allowed: "auth", "db"');
    expect(lines[1]).toBe("timeoutMs: got 20000; at most 10000 allowed");
    expect(faults("getHealth", { projectRef, services: [] })).toHaveLength(1);
  });
});

describe("getCustomHostname", () => {
  it("tells the hostname, its state and the records to make", async () => {
    record().addons.set("custom_domain", "cd_default");
    scenario.emulator.control.call("initializeCustomHostname", {
      ref: projectRef,
      body: { custom_hostname: "db.example.com" },
    });
    scenario.clock.advance(3_000);
    const made = scenario.emulator.control.call("getCustomHostname", { ref: projectRef });
    const { ownership_verification: ownership, ssl, custom_origin_server } = made.data.result;
    expect(await invoke(scenario, "getCustomHostname", { projectRef })).toEqual({
      customHostname: "db.example.com",
      status: "2_initiated",
      ownershipVerification: { ...ownership },
      validationRecords: ssl.validation_records.map(({ txt_name, txt_value }) => ({
        txtName: txt_name,
        txtValue: txt_value,
      })),
      customOriginServer: custom_origin_server,
    });
  });

  it("says that none is configured, and that the add-on is missing", async () => {
    record().addons.set("custom_domain", "cd_default");
    const error = await errorOf(scenario, "getCustomHostname", { projectRef });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`The project ${projectRef} does not exist or has no custom hostname`);
    record().addons.delete("custom_domain");
    const without = await errorOf(scenario, "getCustomHostname", { projectRef });
    expect(without).toBeInstanceOf(ApiError);
    expect(without.message).toContain("custom_domain");
  });
});

describe("getUpgradeEligibility", () => {
  it("tells versions, estimate and everything that stands in the way", async () => {
    record().upgrade.unsupportedExtensions = ["old_extension"];
    record().upgrade.validationErrors = [
      { type: "objects_depending_on_pg_cron", dependents: ["public.jobs"] },
      {
        type: "indexes_referencing_ll_to_earth",
        schema_name: "public",
        table_name: "places",
        index_name: "places_earth",
      },
      { type: "active_replication_slot", slot_name: "sync" },
    ];
    const onService = scenario.emulator.control.call("getUpgradeEligibility", { ref: projectRef });
    expect(await invoke(scenario, "getUpgradeEligibility", { projectRef })).toEqual({
      eligible: false,
      currentAppVersion: onService.current_app_version,
      currentAppVersionReleaseChannel: "ga",
      latestAppVersion: onService.latest_app_version,
      targetUpgradeVersions: onService.target_upgrade_versions.map((target) => ({
        postgresVersion: target.postgres_version,
        releaseChannel: target.release_channel,
        appVersion: target.app_version,
      })),
      durationEstimateHours: onService.duration_estimate_hours,
      legacyAuthCustomRoles: [],
      objectsToBeDropped: [],
      unsupportedExtensions: ["old_extension"],
      userDefinedObjectsInInternalSchemas: [],
      validationErrors: [
        { type: "objects_depending_on_pg_cron", dependents: ["public.jobs"] },
        {
          type: "indexes_referencing_ll_to_earth",
          schemaName: "public",
          tableName: "places",
          indexName: "places_earth",
        },
        { type: "active_replication_slot", slotName: "sync" },
      ],
    });
  });

  it("tells what a newer service warns of, which is in nobody's way", async () => {
    scenario.emulator.control.set("newer", true);
    record().newer.upgradeWarnings = [
      { type: "pg_graphql_introspection_change" },
      { type: "moon", extension_name: "tide", phase: 3 },
    ];
    expect(await invoke(scenario, "getUpgradeEligibility", { projectRef })).toMatchObject({
      warnings: [{ type: "pg_graphql_introspection_change" }, { type: "moon", extensionName: "tide" }],
    });
  });

  it("tells a fault of a kind that this version does not know", async () => {
    const body = {
      eligible: false,
      validation_errors: [{ type: "moon", schema_name: "public", dependents: null, phase: 3 }, 7],
    };
    scenario.emulator.control.addFault({ operation: "getUpgradeEligibility", status: 200, body });
    expect(await invoke(scenario, "getUpgradeEligibility", { projectRef })).toEqual({
      eligible: false,
      validationErrors: [{ type: "moon", schemaName: "public" }],
    });
  });
});

describe.each([
  "getEdgeFunctions",
  "getPostgresConfig",
  "getHealth",
  "getUpgradeEligibility",
  "getCustomHostname",
])("%s", (name) => {
  it("says which project is not there", async () => {
    const error = await errorOf(scenario, name, { projectRef: NOBODY });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(NOBODY);
    expect(error.message).toContain("`projectRef`");
  });

  it("refuses bad arguments, all at once", () => {
    expect(faults(name, { projectref: NOBODY })).toEqual([
      "projectRef: required, but missing: expected a string",
      "projectref: unknown property; did you mean `projectRef`?",
    ]);
  });
});

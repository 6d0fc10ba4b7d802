import { createdAsAdvised } from "../as-advised";
import { InitializationError } from "../../../provider/engine/step/errors";
import type { SettledResource } from "../../../provider/engine/create/create";
import type { Values } from "../../../provider/define/values";
import { customHostname } from "../../../provider/resources/domains/custom-hostname/custom-hostname";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let hostnames: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  scenario.emulator.control.call("applyAddon", {
    ref,
    body: { addon_type: "custom_domain", addon_variant: "cd_default" },
  });
  hostnames = scenario.manage(customHostname);
});
afterEach(() => scenario.close());

const declared = (more: Values = {}): Values => ({
  projectRef: ref,
  customHostname: "db.example.com",
  ...more,
});
const onService = () => scenario.emulator.world.state.projects.get(ref)?.customHostname ?? undefined;
const statusThere = (): string => scenario.emulator.control.call("getCustomHostname", { ref }).status;

interface Records {
  ownershipVerification?: { name: string; value: string };
  validationRecords?: { txtName: string; txtValue: string }[];
}

/** As a DNS provider's resource does with the outputs. */
function publish({ state }: SettledResource): void {
  // The outputs' schema says so; the test fails if it is not true.
  const { ownershipVerification, validationRecords } = state as Records;
  scenario.emulator.control.edit(({ dnsTxt }) => {
    if (ownershipVerification) dnsTxt.set(ownershipVerification.name, [ownershipVerification.value]);
    for (const { txtName, txtValue } of validationRecords ?? []) dnsTxt.set(txtName, [txtValue]);
  });
}

it("is made with its records, activated in a second run, and keeps the records that it asked for", async () => {
  const began = scenario.clock.now();
  const made = await hostnames.create(declared());
  expect(onService()?.hostname).toBe("db.example.com");
  expect(made.state).toMatchObject({
    status: "2_initiated",
    ownershipVerification: { value: onService()?.ownershipValue },
    validationRecords: [{ txtValue: onService()?.validationValue }],
  });
  expect(scenario.clock.now() - began).toBeLessThan(10_000);
  expect(scenario.calls("reverifyCustomHostname")).toBe(1);

  publish(made);
  scenario.nextRun();
  const active = await hostnames.update(made, declared({ activate: true }));
  expect(statusThere()).toBe("5_services_reconfigured");
  expect(active.state).toMatchObject({
    status: "5_services_reconfigured",
    ownershipVerification: made.state["ownershipVerification"],
    validationRecords: made.state["validationRecords"],
    customOriginServer: made.state["customOriginServer"],
  });

  scenario.nextRun();
  const read = await hostnames.read(active);
  expect(read?.state).toMatchObject({ validationRecords: made.state["validationRecords"] });

  scenario.nextRun();
  await hostnames.delete(active);
  expect(onService()).toBeUndefined();
  expect(scenario.warnings).toEqual([]);
});

// service, Custom hostname: on a name that was active elsewhere before, the record never shows and is not needed.
it("waits a minute for a record that never shows, and is made without it", async () => {
  const { control } = scenario.emulator;
  control.call("initializeCustomHostname", { ref, body: { custom_hostname: "db.example.com" } });
  control.edit(({ projects }) => {
    const record = projects.get(ref)?.customHostname;
    if (record) record.initializedAt = scenario.clock.now() + 3_600_000;
  });
  const began = scenario.clock.now();
  const made = await hostnames.create(declared({ adopt: true }));
  expect(made.state).toMatchObject({ status: "2_initiated", ownershipVerification: { type: "txt" } });
  expect(made.state["validationRecords"]).toBeUndefined();
  expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(60_000);
  expect(scenario.clock.now() - began).toBeLessThan(75_000);
  expect(control.countCalls({ status: 429 })).toBe(0);
});

it.each([404, 409, 422, 429, 500])(
  "is made by what it reads, where the service refuses to look for the record with %d",
  async (status) => {
    const fault = { operation: "reverifyCustomHostname", status, message: "not now", times: 1_000 } as const;
    scenario.emulator.control.addFault(fault);
    const began = scenario.clock.now();
    const made = await hostnames.create(declared());
    expect(made.state).toMatchObject({ status: "2_initiated", validationRecords: [expect.anything()] });
    expect(scenario.clock.now() - began).toBeLessThan(75_000);
  },
);

it("does not wait for a record of a hostname that is verified", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  scenario.emulator.control.call("reverifyCustomHostname", { ref });
  scenario.emulator.control.call("reverifyCustomHostname", { ref });
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const began = scenario.clock.now();
  const adopted = await hostnames.create(declared({ adopt: true }));
  expect(adopted.state["status"]).toBe("3_challenge_verified");
  expect(scenario.clock.now() - began).toBeLessThan(1_000);
  expect(scenario.calls("reverifyCustomHostname")).toBe(0);
});

/** The service shows this error of the certificate in looks: `skip` of them later, and so many times. */
function refuseCertificate(skip: number, times: number): void {
  const shown = scenario.emulator.control.call("getCustomHostname", { ref });
  const { result } = shown.data;
  const ssl = { ...result.ssl, validation_errors: [{ message: "caa_error: db.example.com" }] };
  const body = { ...shown, data: { ...shown.data, result: { ...result, ssl } } };
  scenario.emulator.control.addFault({ operation: "getCustomHostname", status: 200, body, times, skip });
}

it("ends the wait where the hostname's own DNS refuses a certificate", async () => {
  const made = await hostnames.create(declared());
  refuseCertificate(1, 5);
  const began = scenario.clock.now();
  await expect(hostnames.update(made, declared({ activate: true }))).rejects.toThrow(
    /No certificate can be issued for db\.example\.com.*caa_error.*CAA record/s,
  );
  expect(scenario.clock.now() - began).toBeLessThan(60_000);
  expect(scenario.calls("activateCustomHostname")).toBe(0);
});

describe("a certificate that was refused before this run", () => {
  it("is activated where the user has corrected the record and the service shows the error for a while", async () => {
    const made = await hostnames.create(declared());
    publish(made);
    refuseCertificate(0, 4);
    scenario.emulator.control.clearCalls();
    const active = await hostnames.update(made, declared({ activate: true }));
    expect(active.state["status"]).toBe("5_services_reconfigured");
    expect(scenario.calls("reverifyCustomHostname")).toBeGreaterThan(2);
  });

  it("ends the wait where the service still refuses it after it has looked again", async () => {
    const made = await hostnames.create(declared());
    refuseCertificate(0, 1_000);
    scenario.emulator.control.clearCalls();
    const began = scenario.clock.now();
    await expect(hostnames.update(made, declared({ activate: true }))).rejects.toThrow(
      /No certificate can be issued for db\.example\.com.*caa_error.*CAA record/s,
    );
    expect(scenario.calls("reverifyCustomHostname")).toBeGreaterThan(2);
    expect(scenario.clock.now() - began).toBeGreaterThanOrEqual(200_000);
    expect(scenario.clock.now() - began).toBeLessThan(300_000);
  });

  it("ends the wait at once where it was passed and is refused again", async () => {
    const made = await hostnames.create(declared());
    refuseCertificate(0, 2);
    refuseCertificate(1, 100);
    const began = scenario.clock.now();
    await expect(hostnames.update(made, declared({ activate: true }))).rejects.toThrow(/caa_error/);
    expect(scenario.clock.now() - began).toBeLessThan(200_000);
  });

  it("is the reason that is given where the time is up before", async () => {
    const made = await hostnames.create(declared());
    refuseCertificate(0, 1_000);
    const inputs = declared({ activate: true, timeouts: { update: 60 } });
    await expect(hostnames.update(made, inputs)).rejects.toThrow(/No certificate can be issued/);
  });
});

it("waits for the DNS records within the stricter limit and no longer than its time", async () => {
  const creating = hostnames.create(declared({ activate: true, timeouts: { create: 1_800 } }));
  await expect(creating).rejects.toThrow(/Timed out waiting for the DNS records.*2_initiated/s);
  const times = scenario.emulator.control.calls({ operation: "reverifyCustomHostname" }).map(({ at }) => at);
  expect(times.length).toBeGreaterThan(10);
  for (const [index, at] of times.slice(10).entries())
    expect(at - (times[index] ?? 0)).toBeGreaterThan(60_000);
  expect(scenario.emulator.control.countCalls({ status: 429 })).toBe(0);
});

it("goes on in the next run where the wait for the DNS records was given up", async () => {
  const inputs = declared({ activate: true, timeouts: { create: 60, update: 600 } });
  const failure: unknown = await hostnames.create(inputs).catch((error: unknown) => error);
  if (!(failure instanceof InitializationError)) throw failure;
  expect(failure.state).toMatchObject({ validationRecords: [{ txtValue: onService()?.validationValue }] });
  const half = { id: failure.id, state: { ...failure.state } };
  publish(half);
  scenario.nextRun();
  const active = await hostnames.update(half, inputs);
  expect(active.state["status"]).toBe("5_services_reconfigured");
  expect(scenario.calls("initializeCustomHostname")).toBe(1);
});

it("says which add-on is missing", async () => {
  const other = scenario.healthyProject("without");
  await expect(hostnames.create({ ...declared(), projectRef: other })).rejects.toThrow(
    /add-on.*`custom_domain`|`custom_domain`.*add-on/s,
  );
  expect(scenario.emulator.world.state.projects.get(other)?.customHostname).toBeNull();
});

it("does not take over a hostname that is there already, unless it is the declared one and adopted", async () => {
  scenario.emulator.control.call("initializeCustomHostname", {
    ref,
    body: { custom_hostname: "db.example.com" },
  });
  await expect(hostnames.create(declared())).rejects.toThrow(/already exists.*db\.example\.com.*adopt/s);
  scenario.nextRun();
  await expect(
    hostnames.create(declared({ customHostname: "api.example.com", adopt: true })),
  ).rejects.toThrow(/cannot be taken over.*customHostname/s);
  scenario.nextRun();
  const adopted = await hostnames.create(declared({ adopt: true }));
  expect(adopted).toMatchObject({ id: ref, state: { status: "2_initiated" } });
});

// service, Custom hostname: 3_challenge_verified is still being worked on.
it("is not activated before its origin is set up, for which it is looked at without another nudge", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  scenario.emulator.control.clearCalls();
  await hostnames.update(made, declared({ activate: true }));
  const { control } = scenario.emulator;
  expect(control.countCalls({ operation: "reverifyCustomHostname" })).toBe(2);
  expect(control.calls({ operation: "activateCustomHostname" }).map(({ status }) => status)).toEqual([201]);
  expect(scenario.progress.join("\n")).toContain("3_challenge_verified");
});

it("takes the refusal of another verification for what it is: the hostname is ready", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  const message = "Verification has been completed, please proceed to activation.";
  scenario.emulator.control.addFault({
    operation: "reverifyCustomHostname",
    status: 400,
    after: true,
    message,
  });
  const active = await hostnames.update(made, declared({ activate: true }));
  expect(active.state["status"]).toBe("5_services_reconfigured");
});

it("waits for the services where the activation answers an earlier stage", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  const earlier = (operation: "activateCustomHostname" | "getCustomHostname", skip: number): void => {
    const shown = scenario.emulator.control.call("getCustomHostname", { ref });
    const body = { ...shown, status: "4_origin_setup_completed" };
    scenario.emulator.control.addFault({ operation, status: 200, body, after: true, skip });
  };
  // One look for the ownership, one for the certificate.
  scenario.emulator.control.call("reverifyCustomHostname", { ref });
  scenario.emulator.control.call("reverifyCustomHostname", { ref });
  scenario.clock.advance(60_000);
  earlier("activateCustomHostname", 0);
  earlier("getCustomHostname", 1);
  const active = await hostnames.update(made, declared({ activate: true }));
  expect(active.state["status"]).toBe("5_services_reconfigured");
  expect(scenario.calls("activateCustomHostname")).toBe(1);
});

it("keeps the DNS records that it saw when they come back as empty strings", async () => {
  const made = await hostnames.create(declared());
  const shown = scenario.emulator.control.call("getCustomHostname", { ref });
  const { data } = shown;
  const result = {
    ...data.result,
    ssl: { status: "active", validation_records: [{ txt_name: "", txt_value: "" }] },
    ownership_verification: { type: "", name: "", value: "" },
    custom_origin_server: "",
  };
  const body = { ...shown, data: { ...data, result } };
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getCustomHostname", status: 200, body });
  const { ownershipVerification, validationRecords, customOriginServer } = made.state;
  expect((await hostnames.read(made))?.state).toMatchObject({
    ownershipVerification,
    validationRecords,
    customOriginServer,
  });
});

it("is initialized once where the first answer got lost, and kept as the error says", async () => {
  scenario.emulator.control.addFault({ operation: "initializeCustomHostname", drop: "after" });
  const made = await createdAsAdvised(scenario, hostnames, declared());
  expect(made.state["status"]).toBe("2_initiated");
  expect(scenario.calls("initializeCustomHostname")).toBe(1);
});

it("takes over what a second initialize is answered 544 for only as the error says", async () => {
  scenario.emulator.control.addFault({ operation: "initializeCustomHostname", status: 544, after: true });
  const made = await createdAsAdvised(scenario, hostnames, declared());
  expect(made.state["status"]).toBe("2_initiated");
});

it("copes with an activation that is refused as too early and one whose answer got lost", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  scenario.emulator.control.addFault({
    operation: "activateCustomHostname",
    status: 400,
    message: "too early",
  });
  scenario.emulator.control.addFault({ operation: "activateCustomHostname", drop: "after" });
  const active = await hostnames.update(made, declared({ activate: true }));
  expect(active.state["status"]).toBe("5_services_reconfigured");
  expect(scenario.progress.join("\n")).toContain("too early");
});

it.each([404, 405])(
  "warns that the hostname stays where the service cannot remove one (%i)",
  async (status) => {
    const made = await hostnames.create(declared());
    scenario.emulator.control.addFault({ operation: "removeCustomHostname", status });
    await hostnames.delete(made);
    expect(scenario.warnings.join("\n")).toContain("db.example.com stays");
    expect(onService()).toBeDefined();
  },
);

it("is shown as gone only when the service says that none is configured", async () => {
  const made = await hostnames.create(declared());
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "getCustomHostname", status: 400, message: "Bad request" });
  await expect(hostnames.read(made)).rejects.toThrow("Bad request");
  scenario.emulator.control.addFault({ operation: "getCustomHostname", status: 403, times: 1 });
  await expect(hostnames.read(made)).rejects.toThrow();
  scenario.emulator.control.edit((state) => {
    const project = state.projects.get(ref);
    if (project) project.customHostname = null;
  });
  expect(await hostnames.read(made)).toBeUndefined();
});

it("shows an activation that is wanted and missing, and never one that is not wanted", async () => {
  const made = await hostnames.create(declared());
  const wanted = await hostnames.read({
    ...made,
    state: { ...made.state, activate: true, __declared: ["activate"] },
  });
  expect(wanted?.inputs["activate"]).toBe(false);
  publish(made);
  const active = await hostnames.update(made, declared({ activate: true }));
  scenario.nextRun();
  const back = await hostnames.update(active, declared({ activate: false }));
  const read = await hostnames.read(back);
  expect(hostnames.diff(read?.state ?? {}, declared({ activate: false })).changes).toBe(false);
  expect(statusThere()).toBe("5_services_reconfigured");
});

it.each([undefined, null, "ACTIVE"])(
  "keeps an activation where the answer does not tell its stage: %s",
  async (status) => {
    const made = await hostnames.create(declared());
    publish(made);
    const wanted = declared({ activate: true });
    const active = await hostnames.update(made, wanted);
    scenario.nextRun();
    const { control } = scenario.emulator;
    const body = { ...control.call("getCustomHostname", { ref }), status };
    control.addFault({ operation: "getCustomHostname", status: 200, body, times: 1_000 });
    const read = await hostnames.read(active);
    expect(hostnames.diff(read?.state ?? {}, wanted).changes).toBe(false);
    const began = scenario.clock.now();
    await hostnames.update(active, { ...wanted, removeAddon: true });
    expect(scenario.clock.now() - began).toBeLessThan(75_000);
  },
);

it("is not replaced when the hostname changes, as another one may be there by then", async () => {
  const made = await hostnames.create(declared());
  const other = declared({ customHostname: "api.example.com" });
  expect(hostnames.diff(made.state, other)).toMatchObject({ changes: true, replaces: [] });
  await expect(hostnames.update(made, other)).rejects.toThrow(
    /deletes the hostname that the project has, whoever set it.*set the resource option `deleteBeforeReplace: true` and run `pulumi up --target-replace 'urn:/,
  );
});

it("refuses what is no hostname", () => {
  for (const name of ["", "example", "https://db.example.com", "db.example.com/x", `${"a".repeat(64)}.com`])
    expect(hostnames.failures(declared({ customHostname: name }))[0]).toMatch(/^customHostname: /);
});

// service, Custom hostname: the certificate is still being validated, and the ownership's record is blank.
it("keeps its records between ownership and certificate, without a difference", async () => {
  const made = await hostnames.create(declared());
  publish(made);
  scenario.emulator.control.call("reverifyCustomHostname", { ref });
  const { result } = scenario.emulator.control.call("getCustomHostname", { ref }).data;
  expect(result).toMatchObject({
    status: "active",
    ownership_verification: { type: "", name: "", value: "" },
    ssl: { status: "pending_validation", validation_records: [{}] },
  });
  expect(result).not.toHaveProperty("verification_errors");
  expect(result.ssl).not.toHaveProperty("validation_errors");
  scenario.nextRun();
  const read = await hostnames.read(made);
  expect(read?.state).toEqual(made.state);
  expect(hostnames.diff(read?.state ?? {}, declared()).changes).toBe(false);
  const active = await hostnames.update({ id: ref, state: read?.state ?? {} }, declared({ activate: true }));
  expect(active.state).toMatchObject({
    status: "5_services_reconfigured",
    ownershipVerification: made.state["ownershipVerification"],
    validationRecords: made.state["validationRecords"],
  });
});

describe("removeAddon", () => {
  const hasAddon = () => scenario.emulator.world.state.projects.get(ref)?.addons.has("custom_domain");

  it("keeps the add-on unless it is true", async () => {
    const made = await hostnames.create(declared());
    await hostnames.delete(made);
    expect([onService(), hasAddon()]).toEqual([undefined, true]);
  });

  it("removes the add-on with the hostname, once a run has recorded it", async () => {
    const made = await hostnames.create(declared());
    const recorded = await hostnames.update(made, declared({ removeAddon: true }));
    await hostnames.delete(recorded);
    expect([onService(), hasAddon()]).toEqual([undefined, false]);
    await hostnames.delete(recorded);
    expect(scenario.warnings).toEqual([]);
  });
});

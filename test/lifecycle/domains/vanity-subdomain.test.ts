import { createdAsAdvised } from "../as-advised";
import type { Values } from "../../../provider/define/values";
import { vanitySubdomain } from "../../../provider/resources/domains/vanity-subdomain/vanity-subdomain";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let subdomains: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  subdomains = scenario.manage(vanitySubdomain);
});
afterEach(() => scenario.close());

const declared = (name = "shop", more: Values = {}): Values => ({
  projectRef: ref,
  vanitySubdomain: name,
  ...more,
});
const onService = (of = ref) => scenario.emulator.world.state.projects.get(of)?.vanitySubdomain;
const editOutside = (name: string | null): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project) project.vanitySubdomain = name;
  });
const activateHostname = (): void =>
  scenario.emulator.control.edit(({ projects }) => {
    const project = projects.get(ref);
    if (project === undefined) return;
    project.customHostname = {
      id: "a-hostname",
      hostname: "db.example.com",
      ownershipValue: "owner",
      validationValue: "valid",
      initializedAt: null,
      ownershipVerifiedAt: 0,
      verifiedAt: 0,
      activatedAt: 0,
    };
  });

it("follows its name in the domain, and is deleted once", async () => {
  const made = await subdomains.create(declared());
  expect(onService()).toBe("shop");
  expect(made.state["status"]).toBe("active");
  expect(made.state["customDomain"]).toMatch(/^shop\./);

  expect(subdomains.diff(made.state, declared("store"))).toMatchObject({ changes: true, replaces: [] });
  const updated = await subdomains.update(made, declared("store"));
  expect(onService()).toBe("store");
  expect(updated.state["customDomain"]).toMatch(/^store\./);

  editOutside("by-hand");
  scenario.nextRun();
  const drifted = await subdomains.read(updated);
  expect(drifted?.inputs["vanitySubdomain"]).toBe("by-hand");
  const repaired = await subdomains.update({ id: ref, state: drifted?.state ?? {} }, declared("store"));
  expect(onService()).toBe("store");

  scenario.nextRun();
  await subdomains.delete(repaired);
  expect(onService()).toBeNull();
  await subdomains.delete(repaired);
  expect(await subdomains.read(repaired)).toBeUndefined();
  expect(scenario.calls("deleteVanitySubdomain")).toBe(1);
});

it("says that a name is not available, and takes none", async () => {
  const other = scenario.healthyProject("other");
  scenario.emulator.control.call("activateVanitySubdomain", {
    ref: other,
    body: { vanity_subdomain: "shop" },
  });
  await expect(subdomains.create(declared())).rejects.toThrow(
    /The vanity subdomain shop is not available to the project \w{20}.*Declare another `vanitySubdomain`/s,
  );
  expect(scenario.calls("activateVanitySubdomain")).toBe(0);
  expect(onService()).toBeNull();
});

it("keeps the name that it has where the one that is wanted instead is not available", async () => {
  const made = await subdomains.create(declared());
  await expect(subdomains.update(made, declared("admin"))).rejects.toThrow("admin is not available");
  expect(onService()).toBe("shop");
  scenario.nextRun();
  await subdomains.delete(made);
  expect(onService()).toBeNull();
});

it("passes on that the plan has no vanity subdomains", async () => {
  scenario.emulator.control.set("organizations.acme.plan", "free");
  await expect(subdomains.create(declared())).rejects.toThrow("Vanity subdomains need a plan above free");
  expect(onService()).toBeNull();
});

it("says that an active custom hostname excludes it", async () => {
  activateHostname();
  await expect(subdomains.create(declared())).rejects.toThrow(/has the custom hostname db\.example\.com/);
  expect(scenario.calls("activateVanitySubdomain")).toBe(0);
});

it("is not taken to be gone behind a custom hostname that was activated since, and is removed from there", async () => {
  const made = await subdomains.create(declared());
  activateHostname();
  scenario.nextRun();
  const read = await subdomains.read(made);
  expect(read?.state).toMatchObject({ vanitySubdomain: "shop", status: "custom-domain-used" });
  expect(subdomains.diff(read?.state ?? {}, declared()).changes).toBe(false);
  await subdomains.delete(made);
  expect(onService()).toBeNull();
});

it("does not take over a subdomain that is there already, unless it is adopted", async () => {
  editOutside("shop");
  await expect(subdomains.create(declared("store"))).rejects.toThrow(/already exists.*shop\..*adopt/s);
  scenario.nextRun();
  const adopted = await subdomains.create(declared("store", { adopt: true }));
  expect(adopted.id).toBe(ref);
  expect(onService()).toBe("store");
});

it("does not remove a subdomain that somebody else chose", async () => {
  const made = await subdomains.create(declared());
  editOutside("theirs");
  scenario.nextRun();
  await expect(subdomains.delete(made)).rejects.toThrow(/shop was not removed.*theirs.*pulumi refresh/s);
  expect(onService()).toBe("theirs");
  scenario.nextRun();
  const read = await subdomains.read(made);
  await subdomains.delete({ id: ref, state: read?.state ?? {} });
  expect(onService()).toBeNull();
});

it("waits until the service shows it", async () => {
  const body = { status: "not-used" };
  scenario.emulator.control.addFault({
    operation: "getVanitySubdomain",
    status: 200,
    body,
    skip: 1,
    times: 2,
  });
  const made = await subdomains.create(declared());
  expect(made.state["status"]).toBe("active");
  expect(scenario.progress.join("\n")).toContain("vanity subdomain shop to become active");
});

it("is taken once where an answer got lost, and kept as the error says", async () => {
  scenario.emulator.control.addFault({ operation: "activateVanitySubdomain", drop: "after" });
  const made = await createdAsAdvised(scenario, subdomains, declared());
  scenario.nextRun();
  scenario.emulator.control.addFault({ operation: "activateVanitySubdomain", drop: "after" });
  await subdomains.update(made, declared("store"));
  expect(onService()).toBe("store");
  expect(scenario.calls("activateVanitySubdomain")).toBe(2);
});

it("keeps within the stricter limit of its calls", async () => {
  let made = await subdomains.create(declared("name-0"));
  for (let count = 1; count < 6; count += 1) {
    scenario.nextRun();
    made = await subdomains.update(made, declared(`name-${count}`));
  }
  expect(onService()).toBe("name-5");
  expect(scenario.emulator.control.countCalls({ status: 429 })).toBe(0);
});

it("refuses what is no label of a domain", () => {
  for (const name of ["", "-shop", "shop-", "Shop", "my.shop", "my_shop", "a".repeat(64)])
    expect(subdomains.failures(declared(name))).toEqual([
      expect.stringMatching(/^vanitySubdomain: .*`my-shop`/),
    ]);
});

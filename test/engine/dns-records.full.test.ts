import { PROVISIONING_TIMEOUT_MS } from "./harness";
import { expectSuccess, PROJECT, startStack, type Stack } from "./stack";

/** A DNS provider of its own, whose records are made of the hostname's outputs; the emulator is the DNS. */
const program = `${PROJECT}
const provider = {
  async create({ name, value, edit }) {
    const answer = await fetch(edit, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path: ["dnsTxt", name], value: [value] }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return { id: name, outs: { name, value, edit } };
  },
};
class TxtRecord extends pulumi.dynamic.Resource {
  constructor(label, record) {
    super(provider, label, { name: record.name, value: record.value, edit: process.env.MANAGEMENT_BASE_URL + "/_control/edit" });
  }
}
const domain = new management.BillingAddon("domain", { projectRef, addonType: "custom_domain", variant: "cd_default" });
const hostname = new management.CustomHostname("hostname", { projectRef, customHostname: "db.example.com" }, { dependsOn: [domain] });
const records = [
  new TxtRecord("ownership", hostname.ownershipVerification),
  new TxtRecord("certificate", hostname.validationRecords.apply(([{ txtName, txtValue }]) => ({ name: txtName, value: txtValue }))),
];
const activation = new management.CustomHostnameActivation(
  "activation",
  { projectRef, customHostname: hostname.customHostname },
  { dependsOn: records },
);
exports.status = activation.status;
`;

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(program);
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => stack.dispose());

it("one up orders a hostname, makes its DNS records by another provider, verifies and activates it", async () => {
  const { workspace, emulator } = stack;
  expectSuccess(await workspace.up());
  expect(await workspace.outputs()).toEqual({ status: "5_services_reconfigured" });
  expect(emulator.world.state.dnsTxt.size).toBe(2);
  const same = await workspace.up();
  expectSuccess(same);
  expect(same.summary).toMatchObject({ create: 0, update: 0, replace: 0 });
  expectSuccess(await workspace.destroy());
});

import { NotFoundError } from "../../provider/client/errors/errors";
import { deliver, newEndpoint } from "../../tools/fuzz/operations/samples/webhooks";
import { startScenario, type Scenario } from "../kit/scenario";
import { errorOf, faults, invoke, invokeWrapped, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

function deliverTo(slug: string | undefined, id: string, times: number): void {
  scenario.emulator.control.edit(({ organizations, projects }) => {
    const { webhooks } = (slug === undefined ? projects.get(projectRef) : organizations.get(slug)) ?? {};
    for (let count = 0; count < times; count += 1)
      deliver(webhooks?.endpoints.get(id), slug === undefined ? projectRef : null);
  });
}

const ofProject = (): string =>
  scenario.emulator.control.call("createProjectWebhookEndpoint", { ref: projectRef, body: newEndpoint }).data
    .id;

it("returns what was delivered, with the answers as secrets", async () => {
  const endpointId = ofProject();
  deliverTo(undefined, endpointId, 1);
  expect(await invokeWrapped(scenario, "getWebhookDeliveries", { projectRef, endpointId })).toEqual({
    deliveries: [
      {
        deliveryId: expect.any(String) as string,
        eventId: expect.any(String) as string,
        eventType: "v1.project.paused",
        eventAt: "2026-01-01T00:00:00.000Z",
        organizationSlug: "acme",
        projectRef,
        status: "failure",
        attemptedAt: "2026-01-01T00:00:00.000Z",
        responseCode: 500,
        responseHeaders: { secret: { "content-type": "text/plain" } },
        responseBody: { secret: "no" },
      },
    ],
  });
});

it("returns as many as are asked for, in one call", async () => {
  const body = newEndpoint;
  const { id } = scenario.emulator.control.call("createOrganizationWebhookEndpoint", {
    slug: "acme",
    body,
  }).data;
  deliverTo("acme", id, 30);
  const read = async (more: object): Promise<number> =>
    (
      await invoke<{ deliveries: object[] }>(scenario, "getWebhookDeliveries", {
        organizationSlug: "acme",
        endpointId: id,
        ...more,
      })
    ).deliveries.length;
  expect(await read({})).toBe(20);
  expect(await read({ limit: 25 })).toBe(25);
  expect(scenario.calls("listOrganizationWebhookDeliveries")).toBe(2);
});

it("takes exactly one owner, and a limit that fits a page", () => {
  const endpointId = "6f6e1c0a-9b1e-4d52-8a53-0f3f3c1c2d10";
  expect(faults("getWebhookDeliveries", { endpointId })).toEqual([
    "projectRef: required, but missing: give one of `projectRef` and `organizationSlug`",
  ]);
  expect(faults("getWebhookDeliveries", { projectRef, organizationSlug: "acme", endpointId })).toHaveLength(
    1,
  );
  expect(faults("getWebhookDeliveries", { projectRef, endpointId, limit: 101 })).toHaveLength(1);
});

it("says whether the project or the endpoint is not there", async () => {
  const endpointId = "6f6e1c0a-9b1e-4d52-8a53-0f3f3c1c2d10";
  const noProject = await errorOf(scenario, "getWebhookDeliveries", { projectRef: NOBODY, endpointId });
  expect(noProject).toBeInstanceOf(NotFoundError);
  expect(noProject.message).toContain(`No project or branch has the reference ${NOBODY}`);
  const noEndpoint = await errorOf(scenario, "getWebhookDeliveries", { projectRef, endpointId });
  expect(noEndpoint.message).toContain(
    `404 for the deliveries of the endpoint ${endpointId} of the project ${projectRef}, which exists`,
  );
});

it("says that an installation does not have the operation", async () => {
  const endpointId = ofProject();
  scenario.emulator.control.set("newerOperationsOffered", false);
  const error = await errorOf(scenario, "getWebhookDeliveries", { projectRef, endpointId });
  expect(error.message).toContain(
    "This installation does not have the operation listProjectWebhookDeliveries",
  );
});

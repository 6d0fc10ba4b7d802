import type { WebhookEndpointRecord } from "../../../../emulator/service/world/records/webhooks";
import type { Samples, Scene } from "../sample";

const slug = "acme";

const attributes = {
  url: "https://hooks.example.com/platform",
  event_types: [{ type: "v1.project.paused" as const }],
  custom_headers: { "x-team": "platform" },
  signing_secret: "a-signing-secret",
};
export const newEndpoint = { data: { type: "endpoint" as const, attributes } };
const change = { data: { type: "endpoint" as const, attributes: { enabled: false, description: "Paused" } } };

const idOfProject = ({ control, ref }: Scene): string =>
  control.call("createProjectWebhookEndpoint", { ref, body: newEndpoint }).data.id;
const idOfOrganization = ({ control }: Scene): string =>
  control.call("createOrganizationWebhookEndpoint", { slug, body: newEndpoint }).data.id;

/** An attempt to deliver, as the emulator makes none by itself. */
export function deliver(endpoint: WebhookEndpointRecord | undefined, projectRef: string | null): void {
  endpoint?.deliveries.push({
    id: `6f6e1c0a-9b1e-4d52-8a53-${String(endpoint.deliveries.length).padStart(12, "0")}`,
    eventId: "0b0f1f6e-54f5-4f3b-9a43-6a3b8a1f7b11",
    status: "failure",
    responseCode: 500,
    responseHeaders: { "content-type": "text/plain" },
    responseBody: "no",
    errorCode: null,
    errorMessage: null,
    at: Date.UTC(2026, 0, 1),
    event: { type: "v1.project.paused", organizationSlug: slug, projectRef, at: Date.UTC(2026, 0, 1) },
  });
}

export const webhookSamples = {
  listProjectWebhookEndpoints: (scene) => {
    idOfProject(scene);
    return { ref: scene.ref, "page[offset]": "0", "page[limit]": "20" };
  },
  createProjectWebhookEndpoint: ({ ref }) => ({ ref, body: newEndpoint }),
  getProjectWebhookEndpoint: (scene) => ({ ref: scene.ref, id: idOfProject(scene) }),
  updateProjectWebhookEndpoint: (scene) => ({ ref: scene.ref, id: idOfProject(scene), body: change }),
  deleteProjectWebhookEndpoint: (scene) => ({ ref: scene.ref, id: idOfProject(scene) }),
  listProjectWebhookDeliveries: (scene) => {
    const id = idOfProject(scene);
    scene.control.edit(({ projects }) =>
      deliver(projects.get(scene.ref)?.webhooks.endpoints.get(id), scene.ref),
    );
    return { ref: scene.ref, id, "page[size]": "20" };
  },
  listOrganizationWebhookEndpoints: (scene) => {
    idOfOrganization(scene);
    return { slug };
  },
  createOrganizationWebhookEndpoint: () => ({ slug, body: newEndpoint }),
  getOrganizationWebhookEndpoint: (scene) => ({ slug, id: idOfOrganization(scene) }),
  updateOrganizationWebhookEndpoint: (scene) => ({ slug, id: idOfOrganization(scene), body: change }),
  deleteOrganizationWebhookEndpoint: (scene) => ({ slug, id: idOfOrganization(scene) }),
  listOrganizationWebhookDeliveries: (scene) => {
    const id = idOfOrganization(scene);
    scene.control.edit(({ organizations }) =>
      deliver(organizations.get(slug)?.webhooks.endpoints.get(id), null),
    );
    return { slug, id };
  },
} satisfies Partial<Samples>;

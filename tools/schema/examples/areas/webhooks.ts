import type { Examples } from "../example";

export const webhooks: Examples = {
  getWebhookDeliveries: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getWebhookDeliveries",
        arguments: {
          projectRef: "${projectRef}",
          endpointId: "0f8fad5b-d9cb-469f-a165-70867728950e",
          limit: 50,
        },
      },
    },
    outputs: { deliveries: "${found.deliveries}" },
  },
};

import type { Samples, Scene } from "../sample";

const attributes = {
  name: "archive",
  description: "All logs",
  backend_type: "webhook" as const,
  config: {
    url: "https://logs.example.com/ingest",
    http: "http2" as const,
    gzip: true,
    headers: { authorization: "Bearer a-token-of-the-receiver" },
  },
};
export const newLogDrain = { data: { type: "log_drain" as const, attributes } };
const change = {
  data: { type: "log_drain" as const, attributes: { backend_type: "webhook" as const, name: "other" } },
};

const idOf = ({ control, ref }: Scene): string =>
  control.call("createLogDrain", { ref, body: newLogDrain }).data.id;

export const logDrainSamples = {
  listLogDrains: (scene) => {
    idOf(scene);
    return { ref: scene.ref };
  },
  createLogDrain: ({ ref }) => ({ ref, body: newLogDrain }),
  updateLogDrain: (scene) => ({ ref: scene.ref, id: idOf(scene), body: change }),
  deleteLogDrain: (scene) => ({ ref: scene.ref, id: idOf(scene) }),
} satisfies Partial<Samples>;

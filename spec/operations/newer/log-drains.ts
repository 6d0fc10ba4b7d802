import { z } from "zod";
import { identifier } from "../../identifier";
import { answers, answersEmpty, answersOfNamed, json, operation } from "../../operation";
import { projectRef } from "../../shared-fields";

export const webhookHttpVersion = z.enum(["http1", "http2"]);

const text = z.string().optional();
const headers = z.record(z.string(), z.string());

/** What a drain of each kind is configured with. No field is required by the documents. */
const configShapes = {
  webhook: z.strictObject({
    url: text,
    http: webhookHttpVersion.optional(),
    gzip: z.boolean().optional(),
    headers: headers.optional(),
  }),
  datadog: z.strictObject({ api_key: text, region: text }),
  loki: z.strictObject({
    url: text,
    username: z.string().nullable().optional(),
    password: z.string().nullable().optional(),
    headers: headers.optional(),
  }),
  sentry: z.strictObject({ dsn: text }),
  axiom: z.strictObject({ domain: text, api_token: text, dataset_name: text }),
  syslog: z.strictObject({
    host: text,
    port: z.int().min(0).max(65_535).optional(),
    tls: z.boolean().optional().meta({ default: false }),
    structured_data: text,
    cipher_key: text,
    ca_cert: text,
    client_cert: text,
    client_key: text,
  }),
  s3: z.strictObject({
    s3_bucket: text,
    storage_region: text,
    access_key_id: text,
    secret_access_key: text,
    batch_timeout: z.int().optional(),
  }),
  last9: z.strictObject({ region: text, username: text, password: text }),
  otlp: z.strictObject({
    endpoint: text,
    protocol: z.string().optional().meta({ default: "http/protobuf" }),
    gzip: z.boolean().optional().meta({ default: true }),
    headers: headers.optional().meta({ default: {} }),
  }),
};

/** The kinds whose configuration is documented. */
export const logDrainKind = z.enum([
  "webhook",
  "datadog",
  "loki",
  "sentry",
  "axiom",
  "syslog",
  "s3",
  "last9",
  "otlp",
]);

/** Of the last three no configuration is documented. */
export const logDrainBackendType = z.enum([...logDrainKind.options, "postgres", "bigquery", "clickhouse"]);

const config = z.union([
  configShapes.webhook,
  configShapes.datadog,
  configShapes.loki,
  configShapes.sentry,
  configShapes.axiom,
  configShapes.syslog,
  configShapes.s3,
  configShapes.last9,
  configShapes.otlp,
]);

const attributes = z.object({
  name: z.string(),
  description: text,
  config,
  backend_type: logDrainBackendType,
});

const drain = z.object({
  type: z.enum(["log_drain"]),
  id: identifier(z.string()),
  attributes,
});

const createBody = z.object({ data: z.object({ type: z.enum(["log_drain"]), attributes }) });
const updateBody = z.object({
  data: z.object({
    type: z.enum(["log_drain"]),
    attributes: attributes.partial().extend({ backend_type: attributes.shape.backend_type }),
  }),
});

const drainResponse = z.object({ data: drain });
const drainsResponse = z.object({ data: z.array(drain) });

const ofProject = z.object({ ref: projectRef });
const drainOfProject = z.object({ ref: projectRef, id: z.uuid() });

const errors = [401, 403, 429, 500];
const read = { scope: "analytics_config:read", permissions: [["analytics_config_read"]] } as const;
const write = { scope: "analytics_config:write", permissions: [["analytics_config_write"]] } as const;

/** `GET /v2/projects/{ref}/analytics/log-drains` */
export const listLogDrains = operation({
  method: "GET",
  path: "/v2/projects/{ref}/analytics/log-drains",
  params: ofProject,
  success: answers(200, drainsResponse),
  errors,
  ...read,
});

/** `POST /v2/projects/{ref}/analytics/log-drains` */
export const createLogDrain = operation({
  method: "POST",
  path: "/v2/projects/{ref}/analytics/log-drains",
  params: ofProject,
  body: json(createBody),
  success: answers(201, drainResponse),
  errors: [401, 402, 403, 429, 500],
  ...write,
});

/** `PUT /v2/projects/{ref}/analytics/log-drains/{id}` */
export const updateLogDrain = operation({
  method: "PUT",
  path: "/v2/projects/{ref}/analytics/log-drains/{id}",
  params: drainOfProject,
  body: json(updateBody),
  success: answersOfNamed(200, drainResponse),
  errors,
  ...write,
});

/** `DELETE /v2/projects/{ref}/analytics/log-drains/{id}` */
export const deleteLogDrain = operation({
  method: "DELETE",
  path: "/v2/projects/{ref}/analytics/log-drains/{id}",
  params: drainOfProject,
  success: answersEmpty(204),
  errors,
  ...write,
});

export const logDrainsOperations = { listLogDrains, createLogDrain, updateLogDrain, deleteLogDrain };

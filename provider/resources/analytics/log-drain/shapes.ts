import { z } from "zod";
import { logDrainKind, webhookHttpVersion } from "../../../../spec/operations/newer/log-drains";
import { comparedBy, secret, writeOnly } from "../../../define/markers";
import { openEnum, openRange } from "../../../define/open-values";
import { normalizeHeaders } from "../../webhooks/shared/endpoint-fields";

const text = (says: string): z.ZodOptional<z.ZodString> => z.string().describe(says).optional();

/** What the service may return as it is, masked or not at all: it is compared with the declared value only. */
const credential = (says: string): z.ZodOptional<z.ZodString> =>
  writeOnly(secret(z.string().describe(says))).optional();

/** An address that may hold a user, a password or a token. */
const address = (says: string): z.ZodOptional<z.ZodString> => secret(z.string().describe(says)).optional();

/** Public: services change its line ends. */
const certificate = (says: string): z.ZodOptional<z.ZodString> =>
  comparedBy(z.string().describe(says), normalizeLines).optional();

const headers = writeOnly(
  secret(
    comparedBy(
      z
        .record(z.string(), z.string())
        .describe(
          "Headers of each request, by name. Names are compared without regard to case. The service may not return them, so drift is not detected.",
        ),
      normalizeHeaders,
    ),
  ),
).optional();

const compression = z.boolean().describe("Whether the body of each request is compressed.").optional();

/** The configuration of a drain of each kind. */
export const shapes = {
  webhook: z
    .strictObject({
      url: address("Address to which logs are sent."),
      http: openEnum(
        webhookHttpVersion.meta({
          id: "LogDrainHttpVersion",
          description: "A version of HTTP.",
        }),
      )
        .describe("Version of HTTP, `http1` or `http2`.")
        .optional(),
      gzip: compression,
      headers,
    })
    .meta({ id: "LogDrainWebhook", description: "An address that takes logs by HTTP." }),
  datadog: z
    .strictObject({
      apiKey: credential("API key. The service may not return it, so drift is not detected."),
      region: text("Region of the account."),
    })
    .meta({ id: "LogDrainDatadog", description: "A Datadog account." }),
  loki: z
    .strictObject({
      url: address("Address to which logs are sent."),
      username: text("Name of the user."),
      password: credential("Password of the user. The service may not return it, so drift is not detected."),
      headers,
    })
    .meta({ id: "LogDrainLoki", description: "A Loki server." }),
  sentry: z
    .strictObject({
      dsn: credential(
        "DSN of the project, which contains its key. The service may not return it, so drift is not detected.",
      ),
    })
    .meta({ id: "LogDrainSentry", description: "A Sentry project." }),
  axiom: z
    .strictObject({
      domain: text("Domain of the API."),
      apiToken: credential("API token. The service may not return it, so drift is not detected."),
      datasetName: text("Name of the dataset."),
    })
    .meta({ id: "LogDrainAxiom", description: "An Axiom dataset." }),
  syslog: z
    .strictObject({
      host: text("Host name of the server."),
      port: openRange({ least: 0, most: 65_535 }).describe("Port of the server, 0 to 65535.").optional(),
      tls: z
        .boolean()
        .describe("Whether the connection is encrypted. The service's default is `false`.")
        .optional(),
      structuredData: credential(
        "Structured data of each message, which may contain a token. The service may not return it, so drift is not detected.",
      ),
      cipherKey: credential(
        "Key that encrypts messages. The service may not return it, so drift is not detected.",
      ),
      caCert: certificate("Certificate of the authority that signs the server's, as PEM."),
      clientCert: certificate("Certificate of the client, as PEM."),
      clientKey: credential(
        "Private key of the client, as PEM. The service may not return it, so drift is not detected.",
      ),
    })
    .meta({ id: "LogDrainSyslog", description: "A syslog server." }),
  s3: z
    .strictObject({
      s3Bucket: text("Name of the bucket."),
      storageRegion: text("Region of the bucket."),
      accessKeyId: credential(
        "Identifier of the access key. The service may not return it, so drift is not detected.",
      ),
      secretAccessKey: credential(
        "Secret of the access key. The service may not return it, so drift is not detected.",
      ),
      batchTimeout: z.int().describe("Time after which a batch is written at the latest.").optional(),
    })
    .meta({ id: "LogDrainS3", description: "A bucket of S3." }),
  last9: z
    .strictObject({
      region: text("Region of the account."),
      username: text("Name of the user."),
      password: credential("Password of the user. The service may not return it, so drift is not detected."),
    })
    .meta({ id: "LogDrainLast9", description: "A Last9 account." }),
  otlp: z
    .strictObject({
      endpoint: address("Address to which logs are sent."),
      protocol: text("Protocol. The service's default is `http/protobuf`."),
      gzip: compression,
      headers,
    })
    .meta({ id: "LogDrainOtlp", description: "A receiver of OpenTelemetry." }),
};

export type LogDrainKind = keyof typeof shapes;

/** The inputs of which a drain has exactly one. */
export const KINDS: readonly LogDrainKind[] = logDrainKind.options;

/** Fields that hold an address: of what the service shows, the parts without a secret are compared. */
export const ADDRESSES: readonly string[] = ["url", "endpoint"];

/** What no drain of a kind works without. */
export const NEEDED: Readonly<Record<LogDrainKind, readonly string[]>> = {
  webhook: ["url"],
  datadog: ["apiKey"],
  loki: ["url"],
  sentry: ["dsn"],
  axiom: ["apiToken"],
  syslog: [],
  s3: ["accessKeyId", "secretAccessKey"],
  last9: ["password"],
  otlp: ["endpoint"],
};

function normalizeLines(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\r\n", "\n").trim() : value;
}

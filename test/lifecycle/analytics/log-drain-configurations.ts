import type { Values } from "../../../provider/define/values";

export const URL = "https://logs.example.com/ingest";
export const WEBHOOK = { url: URL, http: "http2", gzip: true, headers: { "X-Key": "a-header-value" } };

/** One configuration of each kind, with every field, and the same on the wire. */
export const CONFIGURATIONS: Readonly<Record<string, readonly [Values, Values]>> = {
  webhook: [WEBHOOK, WEBHOOK],
  datadog: [
    { apiKey: "key-1234567", region: "eu" },
    { api_key: "key-1234567", region: "eu" },
  ],
  loki: [
    { url: URL, username: "me", password: "pass-1234567", headers: { A: "b" } },
    { url: URL, username: "me", password: "pass-1234567", headers: { A: "b" } },
  ],
  sentry: [{ dsn: "https://key@errors.example.com/1" }, { dsn: "https://key@errors.example.com/1" }],
  axiom: [
    { domain: "api.example.com", apiToken: "token-1234567", datasetName: "logs" },
    { domain: "api.example.com", api_token: "token-1234567", dataset_name: "logs" },
  ],
  syslog: [
    {
      ...{ host: "logs.example.com", port: 6514, tls: true, structuredData: '[token@1 t="x"]' },
      ...{ cipherKey: "cipher-1234567", caCert: "CA", clientCert: "CERT", clientKey: "client-1234567" },
    },
    {
      ...{ host: "logs.example.com", port: 6514, tls: true, structured_data: '[token@1 t="x"]' },
      ...{ cipher_key: "cipher-1234567", ca_cert: "CA", client_cert: "CERT", client_key: "client-1234567" },
    },
  ],
  s3: [
    {
      ...{ s3Bucket: "logs", storageRegion: "eu-1", accessKeyId: "id-1234567" },
      ...{ secretAccessKey: "secret-1234567", batchTimeout: 60 },
    },
    {
      ...{ s3_bucket: "logs", storage_region: "eu-1", access_key_id: "id-1234567" },
      ...{ secret_access_key: "secret-1234567", batch_timeout: 60 },
    },
  ],
  last9: [
    { region: "eu", username: "me", password: "pass-1234567" },
    { region: "eu", username: "me", password: "pass-1234567" },
  ],
  otlp: [
    { endpoint: URL, protocol: "grpc", gzip: false, headers: { A: "b" } },
    { endpoint: URL, protocol: "grpc", gzip: false, headers: { A: "b" } },
  ],
};

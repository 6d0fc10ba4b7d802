import type { z } from "zod";
import type { Control } from "../../emulator";
import type { updateAuthConfigBody } from "../../spec/auth-config-body";
import { sampleOf } from "../kit/samples";

/** The projects of the program. */
export interface Refs {
  readonly ref: string;
  readonly previewRef: string;
  readonly reportsRef: string;
}

/** A change that somebody makes past Pulumi, and where a refresh must show it. */
export interface OutsideEdit {
  /** The resource's name in the program. */
  readonly name: string;
  /** The path of what changes; undefined where the object goes. */
  readonly property: string | undefined;
  readonly apply: (control: Control, refs: Refs) => unknown;
}

type Apply = OutsideEdit["apply"];

const changed = (name: string, property: string, apply: Apply): OutsideEdit => ({ name, property, apply });
const removed = (name: string, apply: Apply): OutsideEdit => ({ name, property: undefined, apply });

/** What the sample of a type does to its object. */
const asInSample =
  (type: string): Apply =>
  (control, { ref }) =>
    control.edit((state) => sampleOf(type).editOutside?.(state, ref));

/** What others do to a resource of the type in the acceptance run too. */
const byCall =
  (type: string): Apply =>
  (control, { ref }) =>
    sampleOf(type).editByCall?.(control.call.bind(control), ref, "");

const auth = (property: string, body: z.input<typeof updateAuthConfigBody>): OutsideEdit =>
  changed("auth", property, (control, { ref }) => control.call("updateAuthConfig", { ref, body }));

/** Changes of one setting of Postgres; the others stay, as the API replaces all of them. */
const postgres =
  (key: "ref" | "previewRef", name: string, value: string | number): Apply =>
  (control, refs) => {
    const ref = refs[key];
    const current = control.call("getPostgresConfig", { ref });
    return control.call("updatePostgresConfig", { ref, body: { ...current, [name]: value } });
  };

function firstOf<T>(found: readonly T[], what: string): T {
  const [first] = found;
  if (first === undefined) throw new Error(`There is no ${what} to edit.`);
  return first;
}

async function takeBackLast(control: Control, ref: string): Promise<void> {
  const applied = await control.call("listMigrations", { ref });
  await control.call("rollbackMigrations", { ref, gte: firstOf(applied.slice(-1), "migration").version });
}

export const outsideEdits: readonly OutsideEdit[] = [
  changed("app", "name", (control, { ref }) =>
    control.call("updateProject", { ref, body: { name: "renamed by hand" } }),
  ),
  changed("reports", "name", (control, { reportsRef: ref }) =>
    control.call("updateProject", { ref, body: { name: "reports by hand" } }),
  ),
  changed("disk", "iops", asInSample("Disk")),
  changed("recovery", "variant", asInSample("BillingAddon")),
  removed("replica", (control, { ref }) =>
    control.call("removeReadReplica", {
      ref,
      body: {
        database_identifier: firstOf(
          control
            .call("listOrganizationProjects", { slug: "acme" })
            .projects.flatMap((project) => (project.ref === ref ? project.databases : []))
            .filter(({ type }) => type === "READ_REPLICA"),
          "replica",
        ).identifier,
      },
    }),
  ),
  changed("settings", "maxConnections", postgres("ref", "max_connections", 77)),
  changed("settings", "statementTimeout", postgres("ref", "statement_timeout", "7s")),
  changed("settings", "workMem", postgres("ref", "work_mem", "4MB")),
  changed("previewSettings", "statementTimeout", postgres("previewRef", "statement_timeout", "7s")),
  changed("pooler", "defaultPoolSize", asInSample("PoolerConfig")),
  changed("ssl", "database", asInSample("SslEnforcement")),
  changed("encryption", "rootKey", asInSample("CryptoExtensionKey")),
  changed("schema", "migrations", (control, { ref }) => takeBackLast(control, ref)),
  removed("ledger", async (control, { reportsRef }) => {
    await takeBackLast(control, reportsRef);
    await control.call("runQuery", { ref: reportsRef, body: { query: "drop table if exists ledger" } });
  }),
  changed("onCall", "roles", asInSample("JitUser")),
  changed("network", "allowedCidrs", byCall("NetworkRestrictions")),
  changed("network", "allowedCidrsV6", (control, { ref }) =>
    control.call("patchNetworkRestrictions", {
      ref,
      body: { add: { dbAllowedCidrsV6: ["2001:db8:7::/48"] } },
    }),
  ),
  auth("siteUrl", { site_url: "https://by-hand.example.com" }),
  changed("auth", "jwtExp", byCall("AuthConfig")),
  auth("smtp.port", { smtp_port: "25" }),
  auth("smtp.adminEmail", { smtp_admin_email: "by-hand@example.com" }),
  auth("mailer.otpLength", { mailer_otp_length: 6 }),
  auth("mailer.templates.invite.subject", { mailer_subjects_invite: "By hand" }),
  auth("rateLimits.emailSent", { rate_limit_email_sent: 7 }),
  auth("password.minLength", { password_min_length: 7 }),
  changed("signing", "status", (control, { ref }) =>
    control.edit(({ projects }) =>
      projects.get(ref)?.signingKeys.forEach((key) => {
        if (key.algorithm === "ES256" && key.status === "standby") key.status = "previously_used";
      }),
    ),
  ),
  changed("backend", "description", asInSample("ApiKey")),
  changed("legacyKeys", "enabled", asInSample("LegacyApiKeys")),
  changed("workforce", "domains", asInSample("SsoProvider")),
  // Another issuer is refused, not reverted: changed-elsewhere.test.ts.
  removed("partners", asInSample("ThirdPartyAuth")),
  changed("realtime", "privateOnly", byCall("RealtimeConfig")),
  changed("realtime", "maxConcurrentUsers", (control, { ref }) =>
    control.call("updateRealtimeConfig", { ref, body: { max_concurrent_users: 7 } }),
  ),
  changed("restLayer", "dbSchema", (control, { ref }) =>
    control.call("updateRestLayerConfig", { ref, body: { db_schema: "public" } }),
  ),
  changed("restLayer", "maxRows", byCall("RestLayerConfig")),
  changed("storage", "fileSizeLimit", byCall("StorageConfig")),
  changed("storage", "features.s3Protocol.enabled", (control, { ref }) =>
    control.call("updateStorageConfig", { ref, body: { features: { s3Protocol: { enabled: true } } } }),
  ),
  changed("storage", "features.vectorBuckets.maxBuckets", asInSample("StorageConfig")),
  changed("avatars", "fileSizeLimit", byCall("StorageBucket")),
  changed("operations", "description", (control, { ref }) =>
    control.edit((state) => sampleOf("WebhookEndpoint").editOutside?.(state, ref)),
  ),
  changed("archive", "description", asInSample("LogDrain")),
  changed("archive", "webhook.gzip", (control, { ref }) =>
    control.edit(({ projects }) =>
      projects.get(ref)?.logDrains.drains.forEach(({ config }) => void (config["gzip"] = false)),
    ),
  ),
  changed("audit", "description", (control, { ref }) =>
    control.edit((state) => sampleOf("OrganizationWebhookEndpoint").editOutside?.(state, ref)),
  ),
  changed("paymentSecret", "inSync", asInSample("Secret")),
  changed("vaultToken", "inSync", byCall("VaultSecret")),
  changed("mailSecrets", "outOfSync", (control, { ref }) =>
    control.call("createSecrets", { ref, body: [{ name: "MAIL_PASSWORD", value: "by hand" }] }),
  ),
  changed("ping", "name", asInSample("EdgeFunction")),
  changed("ping", "verifyJwt", (control, { ref }) =>
    control.call("updateFunction", { ref, function_slug: "ping", body: { verify_jwt: false } }),
  ),
  changed("fromFolders", "deployments.hello.sourceHash", (control, { ref }) =>
    control.call("updateFunction", { ref, function_slug: "hello", body: { body: "export {};" } }),
  ),
  changed("preview", "gitBranch", (control, { ref }) => {
    const branch = firstOf(
      control.call("listBranches", { ref }).filter(({ name }) => name === "preview"),
      "branch",
    );
    return sampleOf("Branch").editByCall?.(control.call.bind(control), ref, branch.id);
  }),
  removed("activation", (control, { ref }) =>
    control.edit((state) => sampleOf("CustomHostname").editOutside?.(state, ref)),
  ),
  changed("subdomain", "vanitySubdomain", (control, { reportsRef }) =>
    control.edit((state) => sampleOf("VanitySubdomain").editOutside?.(state, reportsRef)),
  ),
  removed("office", (control, { reportsRef: ref }) =>
    control.call("patchNetworkRestrictions", {
      ref,
      body: { remove: { dbAllowedCidrs: ["203.0.113.0/24"] } },
    }),
  ),
];

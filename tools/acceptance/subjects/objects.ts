import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNotFound } from "../../../provider/client/errors/errors";
import { isObject } from "../../../spec/is-object";
import { retryWhileProcessing } from "./needs";
import { BY_HAND, nothingToSee, subjects, type TrialContext } from "./subject";

/** The public key of a third party that nobody has the private key of. */
const PUBLIC_KEY = {
  kty: "EC",
  crv: "P-256",
  kid: "acceptance",
  alg: "ES256",
  use: "sig",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};

const CIDR = "198.18.0.0/24";

const MIGRATION = { version: "20260101000000", name: "acceptance_notes" };
const SET_MIGRATION = { version: "20260102000000", name: "acceptance_files" };

/** Writes files into the folder of the run. */
function inFolder({ folder }: Pick<TrialContext, "folder">, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Takes a migration back past Pulumi; how the schema of the history is called, its columns tell. */
function withoutMigration({ version, name }: typeof MIGRATION): string {
  return `do $$ declare history text; begin
  select table_schema into history from information_schema.columns
    where table_name = 'schema_migrations' and column_name = 'statements';
  execute format('delete from %I.schema_migrations where version = %L', history, '${version}');
  drop table ${name};
end $$`;
}

async function tablesNamed({ client, ref }: TrialContext, name: string): Promise<number> {
  const query = `select table_name from information_schema.tables where table_name = '${name}'`;
  return (await client.runReadOnlyQuery({ ref, body: { query } })).length;
}

/** Resources that a project has several of, or none. */
export const objectSubjects = subjects([
  {
    type: "ThirdPartyAuth",
    inputs: () => ({ oidcIssuerUrl: undefined, customJwks: { keys: [PUBLIC_KEY] } }),
    // The API has no update of it.
    edit: ({ client, ref }, { id }) => client.deleteThirdPartyAuth({ ref, tpa_id: id }),
    look: async ({ client, ref }) => (await client.listThirdPartyAuth({ ref })).length,
  },
  {
    type: "LegacySigningKey",
    unedited: () => "no call changes it",
    // A delete leaves the key.
    look: nothingToSee,
  },
  {
    type: "SecretSet",
    inputs: () => ({
      secrets: { ACCEPTANCE_HOST: "first-host", ACCEPTANCE_KEY: "first-key" },
    }),
    edit: ({ client, ref }) =>
      client.createSecrets({ ref, body: [{ name: "ACCEPTANCE_HOST", value: BY_HAND }] }),
    look: async ({ client, ref }) => (await client.listSecrets({ ref })).map(({ name }) => name),
  },
  {
    type: "FunctionSet",
    inputs: ({ folder }) => ({ sourceDir: join(folder, "functions"), functions: undefined }),
    prepare: (context) => {
      inFolder(context, { "functions/acceptance-set/index.ts": 'Deno.serve(() => new Response("one"));\n' });
      return Promise.resolve(undefined);
    },
    edit: ({ client, ref }) =>
      client.deployFunction({
        ref,
        slug: "acceptance-set",
        body: {
          metadata: { entrypoint_path: "index.ts" },
          file: [{ name: "index.ts", content: Buffer.from('Deno.serve(() => new Response("by hand"));\n') }],
        },
      }),
    look: async ({ client, ref }) => (await client.listFunctions({ ref })).map(({ slug }) => slug),
  },
  {
    type: "Migration",
    inputs: () => ({
      ...MIGRATION,
      query: "create table acceptance_notes (body text);",
      rollback: "drop table acceptance_notes;",
      rollbackOnDelete: true,
      baseline: "none",
    }),
    edit: ({ client, ref }) => client.runQuery({ ref, body: { query: withoutMigration(MIGRATION) } }),
    look: (context) => tablesNamed(context, MIGRATION.name),
  },
  {
    type: "MigrationSet",
    inputs: ({ folder }) => ({ directory: join(folder, "migrations"), baseline: "none" }),
    prepare: (context) => {
      const { version, name } = SET_MIGRATION;
      inFolder(context, { [`migrations/${version}_${name}.sql`]: `create table ${name} (body text);\n` });
      return Promise.resolve(undefined);
    },
    edit: ({ client, ref }) => client.runQuery({ ref, body: { query: withoutMigration(SET_MIGRATION) } }),
    // A delete leaves what was migrated.
    look: nothingToSee,
  },
  {
    type: "VaultSecret",
    inputs: () => ({ name: "payment_token", description: "Of the acceptance run" }),
    look: ({ client, ref }) =>
      client.runReadOnlyQuery({
        ref,
        body: { query: "select name, description from vault.secrets order by name" },
      }),
  },
  {
    type: "StorageBucket",
    look: ({ client, ref }) => client.listBuckets({ ref }),
  },
  {
    type: "WebhookEndpoint",
    // The service asks for an address that it can resolve; nothing happens of which it would be told.
    inputs: () => ({ enabled: false }),
    look: async ({ client, ref }) =>
      ((await client.listProjectWebhookEndpoints({ ref })).data ?? []).map(
        ({ attributes }) => attributes?.url,
      ),
  },
  {
    type: "LogDrain",
    costs: ["log_drain"],
    look: async ({ client, ref }) =>
      ((await client.listLogDrains({ ref })).data ?? []).map(({ attributes }) => attributes?.name),
  },
  {
    type: "DatabaseWebhooks",
    unedited: () => "the API neither shows nor disables them",
    look: nothingToSee,
  },
  {
    type: "LoginRole",
    unedited: () => "no call shows or changes one",
    // It expires by itself.
    look: nothingToSee,
  },
  {
    type: "JitUser",
    prepare: async ({ client, ref, organization }) => {
      await client.updateJitAccess({ ref, body: { state: "enabled" } });
      const [member] = await client.listMembers({ slug: organization });
      if (member === undefined) throw new Error(`the organization ${organization} shows no member`);
      return { userId: member.user_id };
    },
    inputs: ({ found }) => ({ userId: found["userId"], roles: [{ role: "postgres" }] }),
    edit: ({ client, ref }, { id }) => client.deleteJitUser({ ref, user_id: id.slice(id.indexOf("/") + 1) }),
    look: async ({ client, ref }) => (await client.listJitUsers({ ref })).items?.length,
  },
  {
    type: "AllowedCidr",
    isPaidFor: true,
    edit: ({ client, ref }) =>
      client.patchNetworkRestrictions({ ref, body: { remove: { dbAllowedCidrs: [CIDR] } } }),
    look: async ({ client, ref }) =>
      (await client.getNetworkRestrictions({ ref })).config?.dbAllowedCidrs?.includes(CIDR),
  },
  {
    type: "ProjectClaimToken",
    edit: ({ client, ref }) => client.deleteClaimToken({ ref }),
    look: ({ client, ref }) => client.getClaimToken({ ref }).then(() => "a token", ignoreNotFound),
  },
  {
    type: "VanitySubdomain",
    isPaidFor: true,
    inputs: ({ projectName }) => ({ vanitySubdomain: projectName }),
    edit: ({ client, ref }) => client.deleteVanitySubdomain({ ref }),
    look: async ({ client, ref }) => (await client.getVanitySubdomain({ ref })).status,
  },
  {
    type: "Disk",
    // A change would cost something, and be the only one for hours: it is declared as it is.
    prepare: async ({ client, ref }) => {
      const { attributes } = await client.getDisk({ ref });
      return { disk: { type: attributes?.type, sizeGb: attributes?.size_gb, iops: attributes?.iops } };
    },
    inputs: ({ found }) => (isObject(found["disk"]) ? { ...found["disk"] } : {}),
    unedited: () => "the service takes one change in four hours",
    look: async ({ client, ref }) => (await client.getDisk({ ref })).attributes?.size_gb,
  },
  {
    type: "BillingAddon",
    isPaidFor: true,
    needs: [],
    inputs: () => ({ addonType: "ipv4", variant: "ipv4_default" }),
    edit: (context) =>
      retryWhileProcessing(context, () =>
        context.client.removeAddon({ ref: context.ref, addon_variant: "ipv4_default" }),
      ),
    look: async ({ client, ref }) =>
      ((await client.listAddons({ ref })).selected_addons ?? []).some(({ type }) => type === "ipv4"),
    costs: ["ipv4"],
  },
  {
    type: "ReadReplica",
    isPaidFor: true,
    inputs: ({ region }) => ({ region }),
    edit: ({ client, ref }, { id }) =>
      client.removeReadReplica({ ref, body: { database_identifier: id.slice(id.indexOf("/") + 1) } }),
    look: replicas,
    costs: ["read_replica"],
  },
]);

/** The read replicas that stay. */
async function replicas({ client, ref, organization, projectName }: TrialContext): Promise<unknown> {
  const { projects } = await client.listOrganizationProjects({ slug: organization, search: projectName });
  const databases = projects?.find((project) => project.ref === ref)?.databases ?? [];
  return databases.filter(({ type, status }) => type === "READ_REPLICA" && status !== "GOING_DOWN").length;
}

function ignoreNotFound(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

import { isNotFound } from "../../../provider/client/errors/errors";
import { ApiError } from "../../../provider/client";
import { renamed } from "../own-objects";
import { BY_HAND, subject, subjects } from "./subject";

/** Metadata of an identity provider that nobody runs. */
const METADATA = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com/acceptance"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`;

/** The project in which all others are tried. */
export const projectSubject = subject({
  type: "Project",
  inputs: ({ projectName, organization, dbPass, region }) => ({
    name: projectName,
    organizationSlug: organization,
    dbPass,
    region,
  }),
  edit: ({ client, projectName }, { id }) =>
    client.updateProject({ ref: id, body: { name: renamed(projectName) } }),
  look: async ({ client, organization, projectName }) => {
    const { projects } = await client.listOrganizationProjects({ slug: organization, search: projectName });
    const isGone = (status: string | null | undefined): boolean =>
      ["REMOVED", "GOING_DOWN"].includes(status ?? "");
    return (projects ?? []).filter(({ status }) => !isGone(status)).map(({ name }) => name);
  },
});

/** The nine resource types of the first release, beside the project. */
export const baseSubjects = subjects([
  {
    type: "ApiKey",
    inputs: () => ({ name: "acceptance" }),
    edit: ({ client, ref }, { id }) => client.updateApiKey({ ref, id, body: { description: BY_HAND } }),
    look: async ({ client, ref }) => (await client.listApiKeys({ ref })).map(({ name }) => name),
  },
  {
    type: "SigningKey",
    edit: ({ client, ref }, { id }) => client.updateSigningKey({ ref, id, body: { status: "revoked" } }),
    look: async ({ client, ref }) =>
      ((await client.listSigningKeys({ ref })).keys ?? [])
        .filter(({ algorithm }) => algorithm === "ES256")
        .map(({ status }) => status),
  },
  {
    type: "Secret",
    inputs: () => ({ name: "ACCEPTANCE_TOKEN" }),
    edit: ({ client, ref }) =>
      client.createSecrets({ ref, body: [{ name: "ACCEPTANCE_TOKEN", value: BY_HAND }] }),
    look: async ({ client, ref }) => (await client.listSecrets({ ref })).map(({ name }) => name),
  },
  {
    type: "EdgeFunction",
    inputs: () => ({ slug: "acceptance", name: "Acceptance" }),
    edit: ({ client, ref }) =>
      client.deployFunction({
        ref,
        slug: "acceptance",
        body: {
          metadata: { entrypoint_path: "index.ts" },
          file: [{ name: "index.ts", content: Buffer.from('Deno.serve(() => new Response("by hand"));\n') }],
        },
      }),
    look: async ({ client, ref }) => (await client.listFunctions({ ref })).map(({ slug }) => slug),
  },
  {
    type: "SsoProvider",
    inputs: () => ({ metadataUrl: undefined, metadataXml: METADATA, domains: ["acceptance.example.com"] }),
    prepare: async ({ client, ref }) => {
      await client.updateAuthConfig({ ref, body: { saml_enabled: true } });
      return undefined;
    },
    edit: ({ client, ref }, { id }) =>
      client.updateSsoProvider({ ref, provider_id: id, body: { domains: ["by-hand.example.com"] } }),
    look: async ({ client, ref }) => ((await client.listSsoProviders({ ref })).items ?? []).length,
  },
  {
    type: "PostgresConfig",
    inputs: () => ({ maxConnections: undefined, statementTimeout: "5s" }),
    edit: async ({ client, ref }) => {
      const current = await client.getPostgresConfig({ ref });
      const kept = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== null));
      return client.updatePostgresConfig({ ref, body: { ...kept, work_mem: "4MB" } });
    },
    look: async ({ client, ref }) => {
      const { work_mem, statement_timeout } = await client.getPostgresConfig({ ref });
      return { work_mem, statement_timeout };
    },
  },
  {
    type: "Branch",
    inputs: () => ({ name: "acceptance", gitBranch: "acceptance" }),
    look: async ({ client, ref }) =>
      (await client.listBranches({ ref }))
        .filter(({ is_default }) => is_default !== true)
        .map(({ name }) => name),
    isPaidFor: true,
    costs: ["branch"],
  },
  {
    type: "CustomHostname",
    inputs: ({ hostname }) => ({ customHostname: hostname }),
    edit: ({ client, ref }) => client.removeCustomHostname({ ref }),
    look: ({ client, ref }) =>
      client.getCustomHostname({ ref }).then(({ custom_hostname }) => custom_hostname, ignoreAbsence),
    leftOut: ({ hostname }) => (hostname === undefined ? "it needs --hostname" : undefined),
  },
]);

/** A project without a hostname is refused, with 400 or 404. */
function ignoreAbsence(error: unknown): undefined {
  if (isNotFound(error) || (error instanceof ApiError && error.status === 400)) return undefined;
  throw error;
}

import { z } from "zod";
import { IDENTIFIER } from "../../spec/identifier";
import type { Operation } from "../../spec/operation";
import { operations } from "../../spec/table";

// service, Reading answers: only a missing *required* identifier is an error. Here stands which are required, and why;
// what is added needs a reason. What else an answer lacks, the provider does without.

interface Kind {
  readonly reason: string;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}

const reviewed: Readonly<Record<string, Kind>> = {
  listed: {
    reason:
      "what is done with one of the listed objects names it by this; without it, it cannot be told from the others",
    fields: {
      getEntitlements: ["entitlements[].feature.key"],
      listActionRuns: ["[].id"],
      listAddons: ["selected_addons[].type"],
      listApiKeys: ["[].name"],
      listBackups: ["backups[].inserted_at"],
      listBranches: ["[].project_ref"],
      listBuckets: ["[].id"],
      listFunctions: ["[].slug"],
      listMembers: ["[].user_id"],
      listMigrations: ["[].version"],
      listLogDrains: ["data[].id"],
      listNetworkBansEnriched: ["banned_ipv4_addresses[].banned_address"],
      listOrganizationProjects: ["projects[].ref"],
      listOrganizations: ["[].slug"],
      listOrganizationWebhookDeliveries: ["data[].id"],
      listOrganizationWebhookEndpoints: ["data[].id"],
      listPoolerConfigs: ["[].database_type"],
      listProjectWebhookDeliveries: ["data[].id"],
      listProjectWebhookEndpoints: ["data[].id"],
      listProjects: ["[].ref"],
      listRestoreVersions: ["available_versions[].version"],
      listSecrets: ["[].name"],
      listSigningKeys: ["keys[].id"],
      listSnippets: ["data[].id"],
      listSsoProviders: ["items[].id"],
      listThirdPartyAuth: ["[].id"],
    },
  },
  made: {
    reason: "the answer to the create is what says how the new object is called",
    fields: {
      createApiKey: ["id"],
      createBranch: ["project_ref"],
      createBranchWithDisk: ["data.attributes.project_ref"],
      createClaimToken: ["token"],
      createLegacySigningKey: ["id"],
      createLogDrain: ["data.id"],
      createLoginRole: ["role", "password"],
      createOrganization: ["slug"],
      createOrganizationWebhookEndpoint: ["data.id"],
      createProject: ["ref"],
      createProjectWebhookEndpoint: ["data.id"],
      createSigningKey: ["id"],
      createSsoProvider: ["id"],
      createThirdPartyAuth: ["id"],
    },
  },
  allowed: {
    reason:
      "an entry's id is null for who is invited (service, Just-in-time access): the roles are all that it tells, and without them a user would look as if all were revoked",
    fields: { listJitUsers: ["items[].user_roles"] },
  },
  consented: {
    reason:
      "nobody can consent to a transfer of which the answer does not say whether it is valid, or what is against it",
    fields: {
      checkProjectTransfer: [
        "data.attributes.valid",
        "data.attributes.errors",
        ...["key", "message"].map((name) => `data.attributes.errors[].${name}`),
      ],
    },
  },
  begun: {
    reason: "the run is followed to its end by what the answer calls it",
    fields: {
      mergeBranch: ["workflow_run_id"],
      pushBranch: ["workflow_run_id"],
      resetBranch: ["workflow_run_id"],
    },
  },
  read: {
    reason: "an answer that does not say what it shows would be taken for one that says that nothing is set",
    fields: {
      getActionRun: ["id"],
      getApiKey: ["name"],
      getBranch: ["project_ref"],
      getBranchConfig: ["ref"],
      getFunction: ["slug"],
      getLegacySigningKey: ["id"],
      getMigration: ["version"],
      getOrganizationWebhookEndpoint: ["data.id"],
      getProfile: ["username"],
      getProjectWebhookEndpoint: ["data.id"],
      getProject: ["ref"],
      getProjectClaim: ["project.ref"],
      getRestorePoint: ["name"],
      getSigningKey: ["id"],
      getSnippet: ["id"],
      getSsoProvider: ["id"],
      getThirdPartyAuth: ["id"],
    },
  },
  granted: {
    reason: "it is what every further call carries",
    fields: { exchangeToken: ["access_token"] },
  },
};

const table = Object.entries<Operation>(operations);

it("requires of each operation's answer the reviewed identifiers and nothing else", () => {
  const required = Object.fromEntries(
    table
      .map(([name, { success }]) => [name, requiredIn(success)] as const)
      .filter(([, fields]) => fields.length > 0),
  );
  const expected = Object.assign({}, ...Object.values(reviewed).map(({ fields }) => fields)) as unknown;
  expect(required).toEqual(expected);
});

it("requires each for one reason only", () => {
  const names = Object.values(reviewed).flatMap(({ fields }) => Object.keys(fields));
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
});

it("requires nothing of the answer to a change, which has happened whatever it tells", () => {
  const changing = table.filter(([, { method }]) => ["PATCH", "PUT", "DELETE"].includes(method));
  expect(changing.length).toBeGreaterThan(30);
  expect(changing.filter(([, { success }]) => requiredIn(success).length > 0).map(([name]) => name)).toEqual(
    [],
  );
});

function requiredIn({ schema, isOfNamed }: Operation["success"]): string[] {
  return isOfNamed === true ? [] : identifiersIn(schema, "");
}

function identifiersIn(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return identifiersIn(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodArray) return identifiersIn(schema.element, `${path}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => identifiersIn(option, path));
  if (schema instanceof z.ZodRecord) return identifiersIn(schema.valueType, `${path}.*`);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) => {
    const here = path === "" ? name : `${path}.${name}`;
    const isRequired = z.globalRegistry.get(field)?.[IDENTIFIER] === true;
    return [...(isRequired ? [here] : []), ...identifiersIn(field, here)];
  });
}

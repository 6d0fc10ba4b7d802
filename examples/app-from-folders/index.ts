import { writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const config = new pulumi.Config();

const project = new management.Project("app", {
  name: config.get("projectName") ?? "shop",
  organizationSlug: config.require("organizationSlug"),
  dbPass: config.requireSecret("dbPass"),
  region: "eu-central-1",
});

// `query` works with every token that may write the database; the endpoint for migrations is open to few.
const schema = new management.MigrationSet("schema", {
  projectRef: project.ref,
  directory: "migrations",
  via: "query",
});

const environment = new management.SecretSet("environment", { projectRef: project.ref, envFile: ".env" });

// The functions find their tables and their secrets from the first call on.
const backend = new management.FunctionSet(
  "backend",
  { projectRef: project.ref, sourceDir: "functions", functions: { health: { verifyJwt: false } } },
  { dependsOn: [schema, environment] },
);

// What is read of the schema is read after it.
const migrated = pulumi.all([schema.projectRef, schema.latestVersion]).apply(([ref]) => ref);

const { types } = management.getTypescriptTypesOutput({ projectRef: migrated });
types.apply((text) => {
  if (!pulumi.runtime.isDryRun() && text !== undefined) writeFileSync("database.types.ts", text);
});

const { security, performance } = management.getAdvisorsOutput({ projectRef: migrated });

export const ref = project.ref;
export const latestMigration = schema.latestVersion;
export const functions = backend.names;
export const secrets = environment.names;
export const advice = pulumi
  .all([security, performance])
  .apply((found) => found.flatMap((lints = []) => lints.map(({ level, detail }) => `${level}: ${detail}`)));

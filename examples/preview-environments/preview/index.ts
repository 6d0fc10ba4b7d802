import { existsSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const config = new pulumi.Config();

const missing: string[] = [];

/**
 * A path as seen from the folder above this one, for the program. What is not there, the preview does without; what `init` found is
 * missed where it is gone.
 */
function ifThere(path: string, wasFound = false): string | undefined {
  const place = `../${path}`;
  if (existsSync(place)) return place;
  if (wasFound) missing.push(path);
  return undefined;
}

const migrations = ifThere("database/migrations");
const seed = ifThere("database/seed.sql");
const functions = ifThere("functions");

const missed = missing.map(
  (path) => `${path} is not there, so the preview is made without it. Name its place in preview/index.ts.`,
);
for (const text of missed) void pulumi.log.warn(text);

// The jobs of one of several applications of a repository hand one on.
const namePrefix = config.get("namePrefix");

const preview = new management.PreviewEnvironment("preview", {
  parentProjectRef: config.require("parentProjectRef"),
  repository: config.require("repository"),
  pullRequest: config.requireNumber("pullRequest"),
  gitBranch: config.require("gitBranch"),
  // A front end needs `publishableKey`: with `true`. The token then needs `api_gateway_keys_read` as well, by which it reads the
  // keys of the project, too.
  withKeys: false,
  ttlHours: config.getNumber("ttlHours") ?? 168,
  ...(namePrefix === undefined ? {} : { namePrefix }),
  ...(migrations === undefined ? {} : { migrations }),
  ...(seed === undefined ? {} : { seed }),
  ...(functions === undefined ? {} : { functions }),
});

// Compared once everything is applied: `ref` is unknown before. Name your own schemas here, if there are more.
const { sql, hasChanges } = management.getBranchDiffOutput({
  branchRef: preview.ref,
  includedSchemas: ["public"],
});

export const ref = preview.ref;
export const apiUrl = preview.apiUrl;
// With `withKeys: true`, for a front end, which hands it to everybody:
// export const publishableKey = pulumi.unsecret(preview.publishableKey);
export const connectionString = preview.connectionString;
// The one for later steps of a job: the direct address has IPv6 alone.
export const sessionConnectionString = preview.sessionConnectionString;
export const summary = pulumi.all([preview.summary, sql, hasChanges]).apply(([made, diff, isChanged]) => {
  const text = [made, ...missed.map((each) => `**Missing:** ${each}\n`)].join("\n");
  if (!isChanged) return text;
  // A fence longer than any in the text, which may come from the schema.
  let fence = "````";
  while (diff.includes(fence)) fence += "`";
  return `${text}\n<details><summary>Changes of the schema</summary>\n\n${fence}sql\n${diff.trim()}\n${fence}\n\n</details>\n`;
});

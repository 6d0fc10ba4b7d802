import { z } from "zod";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { ofOrganization, explainMissingOrganization } from "../../lookup/missing-errors";
import { openEnum } from "../../define/open-values";
import { organizationSlug } from "../../define/shared-arguments";
import { pickPresentFields, shareInFlight } from "../answers";

const inputs = z.strictObject({
  organizationSlug,
  search: z.string().min(1).describe("Only projects whose name contains this text.").optional(),
  statuses: z
    .array(
      openEnum(
        z.enum(["ACTIVE_HEALTHY", "INACTIVE"]).describe("A project state that the service can filter by."),
      ),
    )
    .min(1)
    .describe("Only projects in one of these states.")
    .optional(),
  sort: openEnum(
    z
      .enum(["name_asc", "name_desc", "created_asc", "created_desc"])
      .meta({ id: "GetProjectsSort", description: "Sort order of projects." }),
  )
    .describe("Sort order, by name or by time of creation; by default the order of the service.")
    .optional(),
});

const database = z
  .object({
    identifier: z
      .string()
      .describe("The project's reference, or the identifier of the read replica.")
      .optional(),
    type: z.string().describe("`PRIMARY` or `READ_REPLICA`.").optional(),
    status: z.string().describe("State of the database, such as `ACTIVE_HEALTHY`.").optional(),
    region: z.string().describe("Region.").optional(),
    cloudProvider: z.string().describe("Cloud provider.").optional(),
    infraComputeSize: z.string().describe("Compute size, such as `small`.").optional(),
    diskVolumeSizeGb: z.number().describe("Size of the disk in GB.").optional(),
    diskType: z.string().describe("`gp3` or `io2`.").optional(),
    diskThroughputMbps: z.number().describe("Throughput of the disk in MB per second.").optional(),
    diskLastModifiedAt: z.string().describe("Time of the last change to the disk.").optional(),
  })
  .describe("A database of a project: the primary or a read replica.");

const project = z
  .object({
    ref: z.string().describe("Reference of the project or branch, 20 lowercase letters."),
    name: z.string().describe("Display name.").optional(),
    isBranch: z.boolean().describe("Whether this is the project of a branch.").optional(),
    status: z
      .string()
      .describe("`ACTIVE_HEALTHY`, `INACTIVE` (paused) or another state of a project.")
      .optional(),
    region: z.string().describe("Region.").optional(),
    cloudProvider: z.string().describe("Cloud provider.").optional(),
    createdAt: z.string().describe("Creation time, ISO 8601.").optional(),
    databases: z.array(database).describe("The primary database and read replicas.").optional(),
  })
  .describe("A project of an organization, or the project of a branch.");

const outputs = z.object({
  projects: z.array(project).describe("All matching projects, including branches."),
});

type ProjectSummary = z.output<typeof project>;
type WireProject = Awaited<ReturnType<Api["listOrganizationProjects"]>>[number];

function fromWire(record: WireProject): ProjectSummary {
  return {
    ref: record.ref,
    ...pickPresentFields({
      name: record.name,
      isBranch: record.is_branch,
      status: record.status,
      region: record.region,
      cloudProvider: record.cloud_provider,
      createdAt: record.inserted_at,
      databases: record.databases?.map((each) =>
        pickPresentFields({
          identifier: each.identifier,
          type: each.type,
          status: each.status,
          region: each.region,
          cloudProvider: each.cloud_provider,
          infraComputeSize: each.infra_compute_size,
          diskVolumeSizeGb: each.disk_volume_size_gb,
          diskType: each.disk_type,
          diskThroughputMbps: each.disk_throughput_mbps,
          diskLastModifiedAt: each.disk_last_modified_at,
        }),
      ),
    }),
  };
}

/** The projects of an organization. */
export const getProjects = defineFunction({
  name: "getProjects",
  description: "Lists all projects of an organization with their databases, including branches.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { organizationSlug: slug, search, statuses, sort }) {
    const query = { slug, ...pickPresentFields({ search, statuses: statuses?.join(","), sort }) };
    const found = await explainMissingOrganization(
      slug,
      shareInFlight(ctx, `projects:${JSON.stringify(query)}`, () => ctx.api.listOrganizationProjects(query)),
    );
    return { projects: found.map(fromWire) };
  },
});

import { z } from "zod";
import type { Api } from "../../define/context";
import { defineFunction } from "../../define/function";
import { deprecated } from "../../define/markers";
import { askTogether, ofOrganization, orNoOrganization } from "../asking";
import { organizationSlug } from "../shared-arguments";
import { told } from "../told";

const inputs = z.strictObject({
  organizationSlug,
  search: z.string().min(1).describe("Only projects whose name contains this text.").optional(),
  statuses: z
    .array(
      z
        .enum(["ACTIVE_HEALTHY", "INACTIVE"])
        .describe("A state of a project by which the service can filter."),
    )
    .min(1)
    .describe("Only projects in one of these states, those by which the service can filter.")
    .optional(),
  sort: z
    .enum(["name_asc", "name_desc", "created_asc", "created_desc"])
    .meta({ id: "GetProjectsSort", description: "An order of projects." })
    .describe("Order by name or by time of creation; the service's own when not given.")
    .optional(),
});

const database = z
  .object({
    identifier: z
      .string()
      .describe("The project's reference, or the identifier of the read replica.")
      .optional(),
    type: z.string().describe("`PRIMARY` or `READ_REPLICA`.").optional(),
    status: z.string().describe("State of the database, as `ACTIVE_HEALTHY`.").optional(),
    region: z.string().describe("Region in which it runs.").optional(),
    cloudProvider: z.string().describe("Provider of the machines it runs on.").optional(),
    infraComputeSize: z.string().describe("Compute size, as `small`.").optional(),
    diskVolumeSizeGb: z.number().describe("Size of the disk in GB.").optional(),
    diskType: z.string().describe("`gp3` or `io2`.").optional(),
    diskThroughputMbps: z.number().describe("Throughput of the disk in MB a second.").optional(),
    diskLastModifiedAt: z.string().describe("Time of the last change of the disk.").optional(),
  })
  .describe("A database of a project: the primary one, or a read replica.");

const project = z
  .object({
    ref: z.string().describe("Reference of the project, or of the branch: twenty lower-case letters."),
    name: z.string().describe("Display name.").optional(),
    isBranch: z
      .boolean()
      .describe("Whether it is the project of a branch, made by branching another one.")
      .optional(),
    status: z
      .string()
      .describe("`ACTIVE_HEALTHY`, `INACTIVE` (paused) or another state of a project.")
      .optional(),
    region: z.string().describe("Region in which it runs.").optional(),
    cloudProvider: z.string().describe("Provider of the machines it runs on.").optional(),
    createdAt: z.string().describe("Time of creation, ISO 8601.").optional(),
    insertedAt: deprecated(z.string().describe("Time of creation, ISO 8601."), "Use `createdAt`.").optional(),
    databases: z.array(database).describe("Its primary database and read replicas.").optional(),
  })
  .describe("A project of an organization, or the project of a branch.");

const outputs = z.object({
  projects: z.array(project).describe("All projects that fit, branches among them."),
});

type Listed = z.output<typeof project>;
type ListedProject = Awaited<ReturnType<Api["listOrganizationProjects"]>>[number];

function fromWire(record: ListedProject): Listed {
  return {
    ref: record.ref,
    ...told({
      name: record.name,
      isBranch: record.is_branch,
      status: record.status,
      region: record.region,
      cloudProvider: record.cloud_provider,
      createdAt: record.inserted_at,
      insertedAt: record.inserted_at,
      databases: record.databases?.map((each) =>
        told({
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
  description:
    "Lists the projects of an organization, all pages of the listing, with their databases; branches are among them.",
  inputs,
  outputs,
  problems: ofOrganization,
  async run(ctx, { organizationSlug: slug, search, statuses, sort }) {
    const query = { slug, ...told({ search, statuses: statuses?.join(","), sort }) };
    const found = await orNoOrganization(
      slug,
      askTogether(ctx, `projects:${JSON.stringify(query)}`, () => ctx.api.listOrganizationProjects(query)),
    );
    return { projects: found.map(fromWire) };
  },
});

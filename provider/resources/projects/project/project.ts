import { InvalidInputError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { forgetProject, projectOnce } from "../../../lookup/listed-project";
import { defineResource, type Observed, type Remembered } from "../../../define/resource";
import { isBranch } from "../../branches/branch/calls";
import { readSize, type InstanceSize } from "./compute-size";
import { readAsked } from "./connection";
import { converge } from "./convergence";
import {
  checkProject,
  projectInputs,
  projectOutputs,
  type ProjectInputs,
  type ProjectOutputs,
} from "./fields";
import { conditionalCalls } from "./conditional-calls";
import { problems } from "./problems";
import { removeProject } from "./removal";
import { lookUpProject, type ProjectRecord } from "./status";
import { updateProject } from "./update";
import { fromWire, toBody } from "./wire";
import { projectsOfName } from "./projects-of-name";

/** A project: a Postgres database with the services around it. */
export const project = defineResource({
  type: "Project",
  description:
    "A project of an organization: a Postgres database with its services. Creation waits until the project and its services are healthy. Name, password, compute size, pause and Postgres version change in place.",
  inputs: projectInputs,
  outputs: projectOutputs,
  timeouts: { create: 1_200, update: 3_600, delete: 600 },
  idOutput: "ref",
  uniqueBy: ["organizationSlug", "name"],
  allowsDuplicatesBy: "allowDuplicateName",
  notSentByCreate: ["paused", "postgresVersion"],
  protectedBy: "deletionProtection",
  importId: {
    format: "<ref>",
    whereFound: "`getProjects`, or the address of the project's pages",
    parse: (importId) => (/^[a-z]{20}$/.test(importId) ? { id: importId, inputs: {} } : undefined),
  },
  list: {
    of: "organizationSlug",
    async objects(ctx, slug) {
      const projects = await ctx.api.listOrganizationProjects({ slug });
      return projects
        .filter((each) => each.is_branch !== true)
        .map(({ ref, name }) => ({ id: ref, name: name ?? "" }));
    },
  },
  problems,
  conditionalCalls,

  check: (inputs, isUnknown, before) => ({
    failures: checkProject(inputs, isUnknown, before !== undefined),
  }),

  find: (ctx, { organizationSlug, name }) => projectsOfName(ctx, organizationSlug, name),

  async read(ctx, { id, state }) {
    const found = await lookUpProject(ctx, id, projectOnce);
    if (found === undefined) {
      // Without outputs in state it is about to be imported or taken over.
      if (state.ref === undefined && (await isBranch(ctx, id))) throw branchAsProject(id);
      return undefined;
    }
    // The size costs a call, which only projects that declare one pay.
    const size = state.instanceSize === undefined ? undefined : await readSize(ctx, found);
    return observe(ctx, found, state, size);
  },

  async create(ctx, inputs) {
    const { dbPass, name } = inputs;
    if (dbPass === undefined) throw new InvalidInputError("dbPass", problems.noPassword.message({ name }));
    const created = await ctx.api.createProject({ body: toBody({ ...inputs, dbPass }) });
    return { id: created.ref, outputs: fromWire(created, inputs).outputs };
  },

  async settle(ctx, { id, state, inputs }) {
    const project = await converge(ctx, id, inputs);
    return observe(ctx, project, { ...state, ...inputs }, inputs.instanceSize);
  },

  async update(ctx, change) {
    await updateProject(ctx, change).finally(() => forgetProject(ctx, change.id));
    return {};
  },

  delete: (ctx, { id }) => removeProject(ctx, id).finally(() => forgetProject(ctx, id)),
});

async function observe(
  ctx: Context,
  found: ProjectRecord,
  state: Remembered<ProjectInputs, ProjectOutputs>,
  size: InstanceSize | undefined,
): Promise<Observed<ProjectInputs, ProjectOutputs>> {
  const { inputs, outputs } = fromWire(found, state, size);
  const { ref, status } = found;
  const asked = await readAsked(ctx, { ref, status, password: state.dbPass }, state);
  return { inputs, outputs: { ...outputs, ...asked } };
}

function branchAsProject(ref: string): InvalidInputError {
  return new InvalidInputError(
    "id",
    `${ref} is the reference of a branch, which is no Project. Import it as a Branch with the id \`<projectRef>/${ref}\`, ` +
      `in which \`<projectRef>\` is the project that it was made from: \`pulumi import management:index:Branch <name> <projectRef>/${ref}\`; ` +
      `in a program of the dynamic classes, declare a Branch with \`adoptId: "${ref}"\`.`,
  );
}

import type { Operations } from "../../../../spec/table";
import { requireFound, Refusal } from "../../answers/refusal";
import type { OrganizationRecord } from "../../world/records/organization";
import type { ProjectRecord } from "../../world/records/project";
import type { Exchange, Handler } from "../shared/handler";
import { ownProjectAt } from "../shared/project-at";
import { judgeMove, moveProject } from "./project-move";

const checkProjectTransfer: Handler<Operations["checkProjectTransfer"]> = (exchange) => {
  const { project, organization } = transferAt(exchange);
  return {
    data: {
      type: "project_transfer_result",
      attributes: judgeMove(exchange.world, project, organization),
    },
  };
};

/** Unknown whether a transfer is over when it is answered: here it is. */
const transferProject: Handler<Operations["transferProject"]> = (exchange) => {
  const { project, organization } = transferAt(exchange);
  const [error] = judgeMove(exchange.world, project, organization).errors;
  if (error !== undefined) throw new Refusal(400, error.message);
  moveProject(exchange.world, project, organization.slug);
};

/** Unknown whether whoever transfers a project has to be a member of both organizations: here any token will do. */
function transferAt({
  world,
  params,
  body,
}: Pick<Exchange<Operations["transferProject"]>, "world" | "params" | "body">): {
  readonly project: ProjectRecord;
  readonly organization: OrganizationRecord;
} {
  const project = ownProjectAt(world, params.ref);
  const { target_organization_slug: slug } = body.data.attributes;
  const organization = requireFound(world.state.organizations.get(slug), "Organization not found");
  if (project.newer.isTransferable) return { project, organization };
  const message = "Forbidden: Project transfers are disabled";
  throw new Refusal(403, message, {}, { code: "project_transfer_disabled" });
}

export const projectTransferHandlers = { checkProjectTransfer, transferProject };

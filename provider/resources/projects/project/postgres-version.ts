import { InvalidInputError } from "../../../client/errors/errors";
import { problems } from "./problems";
import type { ProjectRecord } from "./status";

/** The major version in `15.1.0.117` or `postgres-15.1.0.117`. */
export function majorOf(version: string | null | undefined): number | undefined {
  const digits = /\d+/.exec(version ?? "")?.[0];
  return digits === undefined ? undefined : Number(digits);
}

export function majorOfProject(project: ProjectRecord): number | undefined {
  return majorOf(project.database?.version);
}

/** Throws when the declared major version lies below the running one: there is no way back. */
export function refuseLowerVersion(ref: string, running: number | undefined, wanted: number): void {
  if (running === undefined || wanted >= running) return;
  throw new InvalidInputError("postgresVersion", problems.noWayBack.message({ ref, running, wanted }));
}

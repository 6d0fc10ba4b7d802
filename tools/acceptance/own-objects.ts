import { field } from "../field";
import type { FoundOperation } from "./find-operation";

/** What the run calls its project while it edits it. */
export function renamed(projectName: string): string {
  return `${projectName}-renamed`;
}

/** Operations that only read and name no project. Everything else must be about an object of this run. */
const ABOUT_NO_PROJECT = new Set(["listProjects", "listOrganizations", "getProfile"]);

/**
 * The projects and branches that this run created. A request about any other one is refused before it leaves, whatever
 * asked for it. A project is the run's own if the service answered its creation with it, or if it has the run's name, which
 * is made up at random and known to nobody else: that finds the one whose answer was lost.
 */
export class OwnObjects {
  readonly #ids = new Set<string>();

  constructor(
    private readonly organization: string,
    private readonly projectName: string,
  ) {}

  has(id: unknown): boolean {
    return typeof id === "string" && this.#ids.has(id);
  }

  /** Why a request must not leave; undefined where it may. */
  refusal({ name, operation, params }: FoundOperation, body: unknown): string | undefined {
    const id = params["ref"] ?? params["branch_id_or_ref"];
    if (id !== undefined) {
      return this.has(id) ? undefined : `${name} is about ${id}, which this run did not create`;
    }
    if (/^\/v\d\/organizations\/\{slug\}/.test(operation.path)) {
      if (operation.method !== "GET") return `${name} would change the organization`;
      return this.#refusalOf(name, params["slug"]);
    }
    if (name === "createProject") return this.#refusalOf(name, field(body, "organization_slug"));
    return ABOUT_NO_PROJECT.has(name) ? undefined : `${name} is about no project that this run created`;
  }

  /** Learns from an answer to a request that was let through. */
  learn({ name }: FoundOperation, answer: unknown): void {
    if (name === "createProject") this.#add(answer, ["ref", "id"]);
    if (name === "createBranch") this.#add(answer, ["project_ref", "id"]);
    if (name === "listBranches" && Array.isArray(answer)) {
      for (const branch of answer) this.#add(branch, ["project_ref", "id"]);
    }
    const projects = field(answer, "projects");
    if (name === "listOrganizationProjects" && Array.isArray(projects)) {
      for (const project of projects) {
        if (this.#isNamedByThisRun(field(project, "name"))) this.#add(project, ["ref"]);
      }
    }
  }

  #add(answer: unknown, keys: readonly string[]): void {
    for (const key of keys) {
      const id = field(answer, key);
      if (typeof id === "string") this.#ids.add(id);
    }
  }

  #isNamedByThisRun(name: unknown): boolean {
    return name === this.projectName || name === renamed(this.projectName);
  }

  #refusalOf(name: string, organization: unknown): string | undefined {
    return organization === this.organization
      ? undefined
      : `${name} is about the organization ${String(organization)}, not ${this.organization}`;
  }
}

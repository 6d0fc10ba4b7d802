import { areaOf } from "../../provider/catalog/catalog";
import { escapeHidden } from "../../spec/shown-text";
import { ConfigSecret, Reference, type ProgramResource, type Program } from "../model";

/** What a person still reads from top to bottom; what is longer has a file for each area. */
const MOST_IN_ONE_FILE = 25;

/** A file of a long program: what belongs to one area. */
export interface ProgramPart {
  readonly area: string;
  readonly resources: readonly ProgramResource[];
}

/** The parts of a long program in its order; none where one file has it all. */
export function partsOf({ resources }: Program): readonly ProgramPart[] {
  if (resources.length <= MOST_IN_ONE_FILE) return [];
  const areas = [...new Set(resources.map(partNameOf))];
  return areas.map((area) => ({ area, resources: resources.filter((each) => partNameOf(each) === area) }));
}

/** The name of a resource's file in a long program. */
export function partNameOf({ type }: ProgramResource): string {
  const area = areaOf(type);
  return area === "projects" ? "project" : area;
}

/** What a part needs of the others: the resources that it refers to, by the parts that have them. */
export function listImportedParts(part: ProgramPart, all: readonly ProgramPart[]): readonly ProgramPart[] {
  return all
    .filter((other) => other !== part)
    .map(({ area, resources }) => ({
      area,
      resources: resources.filter((each) => part.resources.some((own) => needs(own, each))),
    }))
    .filter(({ resources }) => resources.length > 0);
}

/** Whether another part, or the main file with its outputs, refers to a resource. */
export function isShared(declared: ProgramResource, part: ProgramPart, all: readonly ProgramPart[]): boolean {
  return (
    declared.type === "Project" ||
    all.some((other) => other !== part && other.resources.some((each) => needs(each, declared)))
  );
}

/** What the main file needs of the parts for its outputs. */
export function listSharedWithMain({ resources }: Program): readonly ProgramPart[] {
  const projects = resources.filter(({ type }) => type === "Project");
  return projects.map((project) => ({ area: partNameOf(project), resources: [project] }));
}

export function isUsed(declared: ProgramResource, resources: readonly ProgramResource[]): boolean {
  return declared.type === "Project" || resources.some((each) => needs(each, declared));
}

/** Whether the program names one resource in another. */
function needs({ properties, dependsOn, deletedWith }: ProgramResource, declared: ProgramResource): boolean {
  const others = deletedWith === undefined ? dependsOn : [...dependsOn, deletedWith];
  return refersTo(properties, declared) || others.some(({ variable }) => variable === declared.variable);
}

function refersTo(value: unknown, declared: ProgramResource): boolean {
  if (value instanceof Reference) return value.to.variable === declared.variable;
  return listValues(value).some((each) => refersTo(each, declared));
}

/** Whether resources read the stack's configuration, those in comments too. */
export function readsConfig(resources: readonly ProgramResource[]): boolean {
  const reads = (value: unknown): boolean => value instanceof ConfigSecret || listValues(value).some(reads);
  return resources.some(({ properties }) => reads(properties));
}

function listValues(value: unknown): readonly unknown[] {
  if (value instanceof Reference || value instanceof ConfigSecret) return [];
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

/** Resources that a later run adds to a file; what that does not declare is named by its ID, as its variable may have another name by now. */
export function listAdded(
  { resources }: Program,
  isDeclared: (to: ProgramResource) => boolean,
): readonly ProgramResource[] {
  const shown = resources.filter(({ comment }) => comment === undefined);
  const isKnown = (to: ProgramResource): boolean => isDeclared(to) || shown.includes(to);
  const resolveKnown = (value: unknown): unknown =>
    value instanceof Reference && !isKnown(value.to) ? value.to.importId : value;
  return shown.map((each) => ({
    ...each,
    dependsOn: each.dependsOn.filter(isKnown),
    deletedWith: each.deletedWith !== undefined && isKnown(each.deletedWith) ? each.deletedWith : undefined,
    properties: Object.fromEntries(
      Object.entries(each.properties).map(([key, value]) => [key, resolveKnown(value)]),
    ),
  }));
}

/** Lines of a program as a comment, with what it says above them; no line end but a line feed begins a line. */
export function commentOut(comment: string, text: string, mark: string): string {
  return [comment, ...text.split("\n")].map((line) => `${mark} ${escapeHidden(line)}`.trimEnd()).join("\n");
}

/** The text of a file: a blank line between paragraphs. */
export function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => `${paragraph}\n`)
    .join("\n");
}

import { ConfigSecret, Reference, type Declared, type Program } from "../model";

/** Whether resources read the stack's configuration, those in comments too. */
export function needsConfig({ resources, secrets }: Pick<Program, "resources" | "secrets">): boolean {
  return secrets.size > 0 || resources.some(({ comment }) => comment !== undefined);
}

/** Lines of a program as a comment, with what it says above them. */
export function commented(comment: string, text: string, mark: string): string {
  return [comment, ...text.split("\n")].map((line) => `${mark} ${line}`.trimEnd()).join("\n");
}

export function refersTo(value: unknown, declared: Declared): boolean {
  if (value instanceof Reference) return value.to.variable === declared.variable;
  if (value instanceof ConfigSecret || typeof value !== "object" || value === null) return false;
  return Object.values(value).some((each) => refersTo(each, declared));
}

import { parse, YAMLParseError } from "yaml";
import { checkAgainst, type RequestIssue } from "../../service/answers/invalid-request";
import type { EmulatorSeed } from "./seed";
import { seedSchema } from "./seed-schema";
import { readTextFile } from "../../../spec/regular-file";

/** A seed that cannot be used; the message is all that the user needs to see. */
export class SeedError extends Error {}

/** Reads what exists at the start from a file in JSON or YAML. */
export function readSeedFile(file: string): EmulatorSeed {
  const issues: RequestIssue[] = [];
  const seed = checkAgainst(seedSchema, contentOf(file), "body", issues);
  if (issues.length > 0) {
    const lines = issues.map(({ path, message }) => `\n  ${path === "" ? "" : `${path}: `}${message}`);
    throw new SeedError(`The seed file ${file} cannot be used:${lines.join("")}`);
  }
  // No issue, so it is what the schema makes of it.
  const { organizations, ...others } = seed as ReturnType<typeof seedSchema.parse>;
  return {
    ...others,
    ...(organizations !== undefined && {
      organizations: organizations.map((one) => ({ ...one, name: one.name ?? one.slug })),
    }),
  };
}

/** JSON is YAML too. */
function contentOf(file: string): unknown {
  try {
    return parse(readTextFile(file), { prettyErrors: true }) as unknown;
  } catch (error) {
    const { message } = error as Error;
    const reason =
      error instanceof YAMLParseError ? `it is neither JSON nor YAML: ${message.trimEnd()}` : message;
    throw new SeedError(`The seed file ${file} cannot be read: ${reason}`);
  }
}

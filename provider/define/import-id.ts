import type { ImportId } from "./resource";

/** `<projectRef>`: how that is imported of which a project has one and no more, and which has the project's reference as its id. */
export function onePerProject(count: "exactly" | "at most"): ImportId<{ projectRef: string }> {
  return {
    format: "<projectRef>",
    isProjectRef: true,
    whereFound: `a project has ${count} one`,
    parse: (id) => (id === "" || id.includes("/") ? undefined : { id, inputs: { projectRef: id } }),
  };
}

/** `<projectRef>/<id>`: how a part of a project is imported. `last` names the second part for users. */
export function inProject(
  last: string,
  whereFound: string,
  example?: string,
): ImportId<{ projectRef: string }> {
  return {
    format: `<projectRef>/<${last}>`,
    whereFound,
    ...(example === undefined ? {} : { example }),
    parse(importId) {
      const slash = importId.indexOf("/");
      if (slash < 1 || slash === importId.length - 1) return undefined;
      return { id: importId.slice(slash + 1), inputs: { projectRef: importId.slice(0, slash) } };
    },
  };
}

/** For what the service does not show: why it cannot be imported, as a clause with a full stop. */
export function notImportable<I>(refusal: string): ImportId<I> {
  return { format: "–", whereFound: refusal, refusal, parse: () => undefined };
}

import { isObject } from "../spec/is-object";
import { resolveNames } from "../provider/client/client-options";
import { toDeclaredElsewhere, type SourceObject } from "./sources/declared";
import { readConfigFile } from "./sources/config-file";
import { ConfigValue } from "./sources/config-value";
import { SourceError } from "./sources/source-error";
import { readTerraform } from "./sources/terraform";
import { planRemoval } from "./sources/terraform-removal";
import { readTextFile } from "../spec/regular-file";

/** What the files of another tool say of one project. */
export interface Elsewhere {
  /** What is declared as plain values. */
  readonly objects: readonly SourceObject[];
  /** Whether nothing else of the project is taken over, and the values are those of the service. */
  readonly isAll: boolean;
  /** Values of function secrets, where the files have them. */
  readonly secretValues: ReadonlyMap<string, string>;
  readonly notes: readonly string[];
  /** What is to be done in the other tool once these are in the stack, each as `type id`, in lines. */
  readonly afterwards: (taken: ReadonlySet<string>) => readonly string[];
}

interface ElsewhereOptions {
  readonly projectRef: string;
  /** Folder of the program. */
  readonly out: string;
  readonly env: NodeJS.ProcessEnv;
  readonly generation?: "2" | "3" | undefined;
}

/** What a state of Terraform manages. Paths in it begin in the folder of the process. */
export function readElsewhereTerraform(path: string, { projectRef, env }: ElsewhereOptions): Elsewhere {
  const source = readTerraform(textOf(path), {
    ...{ file: path, projectRef, folder: process.cwd() },
    names: resolveNames({}, env),
  });
  const { objects, notes } = toDeclaredElsewhere(source);
  return {
    objects: objects
      .filter(({ type }) => type !== "SecretSet")
      .concat(listSecretObjects(source.objects, projectRef)),
    isAll: true,
    secretValues: mapSecretValues(source.objects, projectRef),
    notes,
    afterwards: (inStack) => {
      const isInStack = (objectsOf: readonly SourceObject[]): boolean =>
        objectsOf.length > 0 &&
        objectsOf.every(({ type, importId = "" }) => inStack.has(`${type} ${importId}`));
      const taken = source.taken.filter(({ address }) =>
        isInStack(
          source.objects
            .filter((each) => each.source === address || each.source.startsWith(`${address}, `))
            .flatMap((each) => (each.type === "SecretSet" ? listSecretObjects([each], projectRef) : [each])),
        ),
      );
      if (taken.length === 0) return [];
      const { steps, warnings } = planRemoval({ ...source, taken });
      return [
        "Then let Terraform give up what is in the stack, in this order:",
        ...steps.flatMap(({ command, says }, index) => [`${index + 1}. ${says}`, command]),
        ...warnings,
      ];
    },
  };
}

/** What a configuration file of the platform's tool declares. */
export function readElsewhereConfig(
  path: string,
  { projectRef, env, out, generation }: ElsewhereOptions,
): Elsewhere {
  const source = readConfigFile(path, {
    ...{ projectRef, programFolder: out, environment: env, names: resolveNames({}, env) },
    generation: generation === undefined ? undefined : generation === "2" ? 2 : 3,
    testOtpValidUntil: new Date(Date.now() + YEAR_MS).toISOString(),
  });
  // A block of `[remotes]` that is for this project stands for the whole file.
  const remote = source.stacks.find((each) => each.projectRef === projectRef);
  const raw = [...(remote ?? source).objects];
  const { objects, notes } = toDeclaredElsewhere(
    { objects: raw, notes: [...source.notes, ...(remote?.notes ?? [])] },
    { hasSecrets: true },
  );
  return {
    // The functions and the migrations are those of the folders beside the file.
    objects: objects.filter(({ type }) => !["FunctionSet", "SecretSet", "MigrationSet"].includes(type)),
    isAll: false,
    secretValues: mapSecretValues(raw, projectRef),
    notes: notes.filter((note) => !note.includes("FunctionSet")),
    afterwards: () => [],
  };
}

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

function textOf(path: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new SourceError(
      `${path} cannot be read (${code}): give the path of a state, as \`terraform state pull\` prints it.`,
    );
  }
}

/** The secrets of a set one by one, as an import takes them. */
function listSecretObjects(objects: readonly SourceObject[], projectRef: string): SourceObject[] {
  return listSecretSets(objects, projectRef).flatMap(({ source, secrets }) =>
    Object.keys(secrets).map((name) => ({
      type: "Secret",
      importId: `${projectRef}/${name}`,
      identity: { projectRef, name },
      inputs: {},
      source,
    })),
  );
}

function mapSecretValues(objects: readonly SourceObject[], projectRef: string): Map<string, string> {
  return new Map(
    listSecretSets(objects, projectRef).flatMap(({ secrets }) =>
      Object.entries(secrets).flatMap(([name, given]) => {
        const value = given instanceof ConfigValue ? given.value : given;
        return typeof value === "string" ? [[name, value] as const] : [];
      }),
    ),
  );
}

function listSecretSets(
  objects: readonly SourceObject[],
  projectRef: string,
): { readonly source: string; readonly secrets: Readonly<Record<string, unknown>> }[] {
  return objects.flatMap(({ type, inputs, source }) => {
    const { secrets } = inputs;
    if (type !== "SecretSet" || inputs["projectRef"] !== projectRef || !isObject(secrets)) return [];
    return [{ source, secrets }];
  });
}

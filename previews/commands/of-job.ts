import { ForgeError, type Forge } from "../forge/forge";
import { forgeFromEnvironment, repositoryFromEnvironment } from "../forge/from-environment";
import { identifyPreview, type Previews } from "../preview";
import { CommandLineError } from "./command-line-error";

/** What the command line says of previews; their repository is that of the job when absent. */
type Asked = Omit<Previews, "repository"> & { readonly repository?: string | undefined };

export function previewsOf({ project, prefix, repository }: Asked): Previews {
  const known = repository ?? repositoryFromEnvironment(process.env);
  if (known === undefined) {
    throw new CommandLineError(
      "give --repository, the repository's web address, by which its previews are named: no job of a forge tells it",
    );
  }
  return { project, prefix, repository: known };
}

/** The forge whose job this is: its pull requests are those of its own repository, and of no other one. */
export function forgeOf(of: Previews): Forge {
  const forge = forgeFromEnvironment(process.env);
  const own = repositoryFromEnvironment(process.env) ?? "";
  const nameOfSome = (repository: string): string => identifyPreview({ ...of, repository }, 1, "").name;
  if (nameOfSome(own) === nameOfSome(of.repository)) return forge;
  throw new ForgeError(
    `This job is of ${own}, whose pull requests say nothing of those of ${of.repository}. Leave --repository out, or run it there.`,
  );
}

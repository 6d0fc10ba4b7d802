import type { Language } from "./documents";

/** What the command line asks for. */
export interface ImportOptions {
  readonly projectRef: string;
  /** Folder of the program. */
  readonly out: string;
  readonly language: Language;
  readonly stack: string;
  /** What encrypts the secrets of a stack that the command creates, as `pulumi stack init` takes it. */
  readonly secretsProvider?: string | undefined;
  /** Whether the stack takes the objects over, or only the files are written. */
  readonly imports: boolean;
  readonly full: boolean;
  readonly choose: readonly string[];
  readonly dotenv?: string | undefined;
  readonly functions?: string | undefined;
  readonly migrations?: string | undefined;
  /** A state of Terraform, of which only what it manages is taken over. */
  readonly fromTerraform?: string | undefined;
  /** A configuration file of the platform's tool, whose settings the program declares. */
  readonly fromConfig?: string | undefined;
  /** Which generation of the tool wrote that file. */
  readonly generation?: "2" | "3" | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (line: string) => void;
}

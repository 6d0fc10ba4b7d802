/** The version that is installed or built when the machine has no recent engine, and the oldest one accepted. */
export const ENGINE_VERSION = "3.250.0";

/** The set of programs in the user's cache: the number is raised when a language host of another version is built. */
export const ENGINE_SET = `${ENGINE_VERSION}-2`;

export type Language = "nodejs" | "yaml" | "python";
export type EngineSource = "path" | "cache" | "installer" | "go";

export interface Engine {
  /** Path of the command-line program. */
  pulumi: string;
  version: string;
  /** Folder to put first on PATH. */
  binDir: string;
  source: EngineSource;
}

export type Log = (line: string) => void;
export type Environment = Readonly<Record<string, string | undefined>>;

/** What one way of getting an engine came to; `reason` completes the sentence "this did not work: …". */
export type Attempt<T> = { ok: true; value: T } | { ok: false; reason: string };

export function succeeded<T>(value: T): Attempt<T> {
  return { ok: true, value };
}

export function failed(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";

/** What the host of Python programs runs them with; the host looks for it beside itself. */
export const PYTHON_EXECUTOR = "pulumi-language-python-exec";

/** Every program that must stand beside or near the command-line program. */
export function companionNames(languages: readonly Language[]): string[] {
  const hosts = languages.map((language) => `pulumi-language-${language}`);
  // A file without a suffix is no program on Windows, so it is not looked for there.
  const hasExecutor = languages.includes("python") && process.platform !== "win32";
  return [...hosts, ...(hasExecutor ? [PYTHON_EXECUTOR] : []), DYNAMIC_PROVIDER];
}

/** Errors are told by their members: those of Node's modules are of another realm's class inside jest. */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === "object" && error !== null && "message" in error;
  return hasMessage && typeof error.message === "string" ? error.message : String(error);
}

export function hasCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

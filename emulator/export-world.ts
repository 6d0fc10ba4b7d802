import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { partialPath } from "./desk/worlds/partial-path";
import { startEmulator } from "./desk/start-emulator";

/** An emulator that cannot be reached or exported; the message is all that the user needs to see. */
export class ExportError extends Error {}

/** Asks a running emulator for its world, and writes it to a file that has its name only once it is whole. */
export async function exportRunning(
  url: string,
  file: string,
  controlToken: string | undefined,
): Promise<void> {
  const bytes = await fetchWorld(url.replace(/\/+$/, ""), controlToken);
  const target = resolve(file);
  const partial = partialPath(target);
  try {
    const opened = openSync(partial, "wx", 0o600);
    try {
      for (let written = 0; written < bytes.byteLength;) written += writeSync(opened, bytes, written);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(partial, target);
  } catch (error) {
    rmSync(partial, { force: true });
    const { message = String(error) } = error as { message?: string };
    throw new ExportError(`The world cannot be exported to ${file}: ${message}`, { cause: error });
  }
}

/** The same of an emulator that does not run. */
export async function exportFolder(
  dataFolder: string,
  file: string,
  names: string | undefined,
): Promise<void> {
  // A start would make a new one.
  if (!existsSync(dataFolder)) throw new ExportError(`There is no folder ${dataFolder}`);
  const emulator = await startEmulator({ dataFolder, ...(names !== undefined && { names }) });
  try {
    await emulator.control.exportWorld(file);
  } finally {
    await emulator.close();
  }
}

async function fetchWorld(url: string, controlToken: string | undefined): Promise<Uint8Array> {
  let health: Response;
  try {
    health = await fetch(`${url}/_control/health`, { redirect: "error" });
  } catch (cause) {
    throw new ExportError(`No emulator answers at ${url}: start it, or name its base URL with --url`, {
      cause,
    });
  }
  // Nobody else is sent the token.
  if (!health.ok)
    throw new ExportError(`What answers at ${url} is no emulator: name its base URL with --url`);
  await health.body?.cancel();
  const answer = await fetch(`${url}/_control/export`, {
    redirect: "error",
    headers: controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` },
  });
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  const said = await answer.text();
  const hint = answer.status === 401 ? " (set MANAGEMENT_EMULATOR_CONTROL_TOKEN)" : "";
  throw new ExportError(`The emulator at ${url} did not export its world: ${answer.status} ${said}${hint}`);
}

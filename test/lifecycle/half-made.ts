import { InitializationError } from "../../provider/engine/step/errors";

/** What a create or an update leaves that failed half-way; throws where it did otherwise. */
export async function halfMadeBy(work: Promise<unknown>): Promise<InitializationError> {
  const failure: unknown = await work.catch((error: unknown) => error);
  if (failure instanceof InitializationError) return failure;
  throw new Error("it did not fail as half-made", { cause: failure });
}

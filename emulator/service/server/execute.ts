import type { CallSource } from "../access/caller";
import type { NamedOperation } from "./request";
import type { Service } from "./service";
import type { Input } from "./validate";
import { Refusal } from "../answers/refusal";

/** Runs the business rules of a validated call and compares what they answer with the table. */
export function execute(
  service: Service,
  { name, operation }: NamedOperation,
  input: Input,
  caller: CallSource,
  isLost = false,
): unknown {
  const handler = service.handlers[name];
  if (handler === undefined) throw new Error(`No handler for ${name}`);
  // `input` went through the schemas of this very operation, from which the handler's types are inferred.
  const answer = handler({ ...input, world: service.world, caller, isLost } as Parameters<typeof handler>[0]);
  if (!(answer instanceof Promise)) return compared(service, { name, operation }, answer);
  const call = answer
    .then((late: unknown) => compared(service, { name, operation }, late))
    .finally(() => {
      // Other calls were saved since it was handed its records.
      service.store.markAllDirty();
    });
  return service.underWay.add(call);
}

function compared(service: Service, { name, operation }: NamedOperation, answer: unknown): unknown {
  if (service.validateAnswers) {
    const checked = operation.success.schema.safeParse(answer);
    if (!checked.success) {
      const message = checked.error.issues
        .map((issue) => `${issue.path.join(".")}: ${issue.message}`)
        .join("; ");
      service.internalErrors.push({ operation: name, kind: "answer", message });
    }
  }
  return answer;
}

/** Keeps an exception that is not an answer of the service, and gives the answer for it. */
export function refusalFor(service: Service, operation: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  service.internalErrors.push({ operation, kind: "exception", message });
  return new Refusal(500, "Internal Server Error");
}

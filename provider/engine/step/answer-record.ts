import { isObject } from "../../../spec/is-object";
import type { SharedCalls } from "../../define/shared-calls";

/** The projects and branches that gave an empty answer while a shared answer was made, which another step may have done. */
const emptyBehind = new WeakMap<object, readonly string[]>();

/** Which projects and branches gave a step an empty answer, also by a call that another step of the run made. */
export class AnswerRecord {
  /** Their references, each as often as it did. */
  readonly #empty: string[] = [];

  hasEmpty(ref: string): boolean {
    return this.#empty.includes(ref);
  }

  add(parameters: Readonly<Record<string, unknown>>, answer: unknown): void {
    const { branch_id_or_ref: branch, ref = branch } = parameters;
    if (typeof ref === "string" && isEmpty(answer)) this.#empty.push(ref);
  }

  /** The shared calls, with what each of their answers rests on. */
  recordShared(shared: SharedCalls): SharedCalls {
    const record =
      <T>(load: () => Promise<T>): (() => Promise<T>) =>
      async () => {
        const from = this.#empty.length;
        const answer = await load();
        if (isReference(answer)) emptyBehind.set(answer, this.#empty.slice(from));
        return answer;
      };
    const recall = <T>(answer: T): T => {
      if (isReference(answer)) this.#empty.push(...(emptyBehind.get(answer) ?? []));
      return answer;
    };
    return {
      ...shared,
      list: async (key, load) => recall(await shared.list(key, record(load))),
      listInTurn: async (queue, key, load, onBegin) =>
        recall(await shared.listInTurn(queue, key, record(load), onBegin)),
    };
  }
}

function isReference(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** An empty list, or an object that has nothing but empty lists. */
function isEmpty(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length === 0;
  if (!isObject(answer) || Object.getPrototypeOf(answer) !== Object.prototype) return false;
  return Object.values(answer).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
}

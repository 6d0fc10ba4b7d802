import { isObject } from "../../../spec/is-object";
import type { Answered } from "../../define/context";
import type { SharedCalls } from "../../define/shared-calls";

/** An answer of a project or branch: empty, or a listing with something in it. */
interface SeenAnswer {
  readonly ref: string;
  readonly held: "nothing" | "something";
}

/** What was asked for when a shared answer was made, which another step may have done. */
const behind = new WeakMap<object, readonly SeenAnswer[]>();

/** Which projects and branches gave a step an empty answer, also by a call that another step of the run made. */
export class AnswerRecord {
  readonly #seen: SeenAnswer[] = [];

  /** Empty wins: of two answers, the step may rest on either. */
  readonly answered: Answered = (ref) => {
    const held = this.#seen.filter((each) => each.ref === ref).map((each) => each.held);
    return held.includes("nothing") ? "nothing" : held[0];
  };

  add(parameters: Readonly<Record<string, unknown>>, answer: unknown): void {
    const { branch_id_or_ref: branch, ref = branch } = parameters;
    const held = contentOf(answer);
    if (typeof ref === "string" && held !== undefined) this.#seen.push({ ref, held });
  }

  /** The shared calls, with what each of their answers rests on. */
  recordShared(shared: SharedCalls): SharedCalls {
    const record =
      <T>(load: () => Promise<T>): (() => Promise<T>) =>
      async () => {
        const from = this.#seen.length;
        const answer = await load();
        if (isReference(answer)) behind.set(answer, this.#seen.slice(from));
        return answer;
      };
    const recall = <T>(answer: T): T => {
      if (isReference(answer)) this.#seen.push(...(behind.get(answer) ?? []));
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

/** Undefined for an answer that says something and is no listing. */
function contentOf(answer: unknown): SeenAnswer["held"] | undefined {
  if (Array.isArray(answer)) return answer.length === 0 ? "nothing" : "something";
  if (!isObject(answer) || Object.getPrototypeOf(answer) !== Object.prototype) return undefined;
  const isEmpty = Object.values(answer).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
  return isEmpty ? "nothing" : undefined;
}

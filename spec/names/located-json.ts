import { evaluate, parse, type MemberNode, type ValueNode } from "@humanwhocodes/momoa";
import { isTooDeep } from "../json-depth";

/** What is wrong with a file, and in which of its lines, counted from 1. */
export interface JsonFault {
  readonly line: number;
  readonly reason: string;
}

/** A text that is no JSON. */
export class MalformedJsonError extends Error {
  constructor(
    readonly line: number,
    what: string,
  ) {
    super(what);
  }
}

/** A JSON document that still knows where its keys stand, and which of them are there twice. */
export interface LocatedJson {
  readonly value: unknown;
  readonly repeated: readonly { readonly key: string; readonly line: number }[];
  /** The line of the key that a path ends with, or of the last key of it that there is. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export function parseLocatedJson(text: string): LocatedJson {
  if (isTooDeep(text)) throw new MalformedJsonError(1, "no JSON: it is nested too deeply");
  const { body } = parseOrExplain(text.replace(/^\uFEFF/, ""));
  return { value: evaluate(body), repeated: findRepeated(body), lineOf: (path) => lineOf(body, path, 1) };
}

function parseOrExplain(text: string): ReturnType<typeof parse> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof Error && "line" in error)) throw error;
    throw new MalformedJsonError(Number(error.line), `no JSON: ${error.message}`);
  }
}

function findRepeated(node: ValueNode): LocatedJson["repeated"] {
  const names = new Set<string>();
  return membersOf(node).flatMap((member) => {
    const key = nameOf(member);
    const isRepeated = names.has(key);
    names.add(key);
    return [...(isRepeated ? [{ key, line: member.loc.start.line }] : []), ...findRepeated(member.value)];
  });
}

function lineOf(node: ValueNode, [key, ...rest]: readonly PropertyKey[], line: number): number {
  const member = membersOf(node).find((each) => nameOf(each) === String(key));
  return member === undefined ? line : lineOf(member.value, rest, member.loc.start.line);
}

function membersOf(node: ValueNode): readonly MemberNode[] {
  return node.type === "Object" ? node.members : [];
}

function nameOf({ name }: MemberNode): string {
  return name.type === "String" ? name.value : name.name;
}

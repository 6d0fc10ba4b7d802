import type { TextRange } from "./encoding-index";

/** No URL goes beyond; one that is wrong may have an escaped quote in it. */
const RUN = /(?:[^\s"<>`\\]+|\\(?![nrt])\S)+/g;
const BEGIN = /[a-z][a-z0-9+.-]{0,30}:\/\//gi;
const USER = /[^:/?#@]*:/y;
const PORT = /\d+[/?#]/y;
const PARAMETER =
  /[?&](?:[\w-]*(?:pass(?:word|wd|phrase)?|token|secret|signature|credential|api_?key|access_?key)|pwd|sig)=([^\s&#"'<>`]+)/gi;

/** The passwords of URLs: whoever quotes the address of a database or of a state quotes its password. */
export function findUrlPasswords(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const begins = [...run.matchAll(BEGIN)];
    for (const [at, begin] of begins.entries()) {
      USER.lastIndex = begin.index + begin[0].length;
      if (!USER.test(run)) continue;
      const from = USER.lastIndex;
      PORT.lastIndex = from;
      if (PORT.test(run)) continue;
      // One that is not encoded may have an `@` and a `/` in it: the last `@` before another URL ends it.
      const length = run.slice(from, begins[at + 1]?.index).lastIndexOf("@");
      if (length > 0) found.push({ from: index + from, to: index + from + length });
    }
  }
  for (const { 0: whole, 1: value = "", index } of text.matchAll(PARAMETER)) {
    found.push({ from: index + whole.length - value.length, to: index + whole.length });
  }
  return found;
}

/** One element of a document; names keep their prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
}

/** Where a document stops being XML. */
export class XmlError extends Error {}

const entities = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
]);

const tag = /<(\/?)([\p{L}_][\p{L}\p{N}_.:-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*?)(\/?)>/uy;
const attribute = /\s+([\p{L}_][\p{L}\p{N}_.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/uy;
/** Comments, sections, instructions and the document's type, none of which says anything here. */
const skipped = /<!--(?:(?!--)[^])*-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<!DOCTYPE\b[^<>[\]]*>/y;

/** Reads the element that a document consists of; elements only, since metadata says all that counts in attributes. */
export function parseXml(source: string): XmlElement {
  const text = source.replace(/^\uFEFF/, "");
  const roots: XmlElement[] = [];
  const open: { name: string; children: XmlElement[] }[] = [];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    requireText(text.slice(at, next === -1 ? undefined : next), open.length > 0);
    if (next === -1) break;
    at = next + (matchAt(skipped, text, next)?.[0].length ?? 0);
    if (at > next) continue;
    const [whole, closing, name = "", inside = "", empty] = matchAt(tag, text, at) ?? [];
    if (whole === undefined) throw new XmlError(`no tag at ${text.slice(at, at + 20)}`);
    at += whole.length;
    if (closing === "/") {
      if (inside.trim() !== "" || empty === "/" || open.pop()?.name !== name) {
        throw new XmlError(`</${name}> closes nothing that is open`);
      }
      continue;
    }
    const children: XmlElement[] = [];
    (open.at(-1)?.children ?? roots).push({ name, attributes: attributesIn(name, inside), children });
    if (empty !== "/") open.push({ name, children });
  }
  const [root, second] = roots;
  if (open.length > 0) throw new XmlError(`<${open.at(-1)?.name ?? ""}> is not closed`);
  if (root === undefined) throw new XmlError("there is no element");
  if (second !== undefined) throw new XmlError(`<${second.name}> follows the end of <${root.name}>`);
  return root;
}

/** An element's name without its prefix. */
export function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function requireText(text: string, isInside: boolean): void {
  if (!isInside && text.trim() !== "") throw new XmlError("there is text outside the document's element");
  resolved(text);
}

function attributesIn(name: string, text: string): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  for (;;) {
    const [whole, key, double, single] = matchAt(attribute, text, at) ?? [];
    if (whole === undefined || key === undefined) break;
    if (found.has(key)) throw new XmlError(`<${name}> has ${key} twice`);
    found.set(key, resolved(double ?? single ?? ""));
    at += whole.length;
  }
  if (text.slice(at).trim() !== "") throw new XmlError(`<${name}> has something that is no attribute`);
  return found;
}

/** Only the references that every document knows. */
function resolved(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6});|#(\d{1,7});|(\w{1,8});)?/gi, (whole, hex, decimal, name) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    const value = code <= 0x10_ff_ff ? String.fromCodePoint(code) : entities.get(String(name));
    if (value === undefined) throw new XmlError(`${whole} means nothing`);
    return value;
  });
}

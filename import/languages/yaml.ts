import { Document, isMap, Pair, parseDocument, Scalar, YAMLMap, type ScalarTag, type Tags } from "yaml";
import { escapeCodePoint, escapeHidden, hasHidden } from "../../spec/shown-text";
import { PLUGIN } from "../documents";
import type { InventoryObject, Inventory } from "../inventory";
import { ConfigSecret, Reference, type ProgramResource, type Program } from "../model";
import { commentOut } from "./source-files";

/** The whole `Pulumi.yaml`; `present` is the one of an earlier run, to which what is new is added. */
export function renderYamlProgram(program: Program, present?: string): string {
  const doc =
    present === undefined
      ? new Document(
          {
            name: program.name,
            runtime: "yaml",
            plugins: { providers: [{ name: "management", path: PLUGIN }] },
          },
          WRITTEN,
        )
      : parseDocument(present, WRITTEN);
  const declared = program.resources.filter(({ comment }) => comment === undefined);
  for (const key of program.secrets.keys()) {
    if (!doc.hasIn(["config", key])) setPath(doc, ["config", key], { type: "string", secret: true });
  }
  for (const each of declared) {
    // What was taken out of the program since an earlier run is not named.
    const isThere = (first: ProgramResource): boolean =>
      canBeReferred(first) && (declared.includes(first) || doc.hasIn(["resources", first.name]));
    const { dependsOn, deletedWith } = each;
    const known = {
      ...each,
      dependsOn: dependsOn.filter(isThere),
      deletedWith: deletedWith !== undefined && isThere(deletedWith) ? deletedWith : undefined,
    };
    setPath(doc, ["resources", each.name], toYamlResource(known));
  }
  const project = declared.find(({ type }) => type === "Project");
  if (project !== undefined && present === undefined)
    setPath(doc, ["outputs"], { ref: `\${${project.name}.ref}` });
  const text = doc.toString(FORMAT);
  const comments = program.resources.filter(({ comment }) => comment !== undefined).map(renderCommentedOut);
  return comments.length === 0 ? text : `${text}\n${comments.join("\n")}`;
}

const FORMAT = { lineWidth: 0, doubleQuotedAsJSON: true } as const;

/** What either version of the language takes for something else than a text, such as `y`, stands in quotes. */
const WRITTEN = { customTags: addEscapes, compat: "yaml-1.1" } as const;

/** Texts in double quotes, with what is not seen in them as escapes; others have nothing of the kind. */
function addEscapes(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str") return tag;
    const { stringify, ...text } = tag as ScalarTag;
    return {
      ...text,
      stringify: (...args: Parameters<NonNullable<ScalarTag["stringify"]>>) => {
        const written = stringify?.(...args) ?? "";
        return written.startsWith('"') ? escapeHidden(written, escapeCodePoint) : written;
      },
    };
  });
}

function setPath(doc: Document, path: readonly string[], value: unknown): void {
  const [first = ""] = path;
  // A section that an editor emptied is no map.
  if (path.length > 1 && !isMap(doc.get(first))) doc.set(first, new YAMLMap());
  doc.setIn(path, doc.createNode(value, { aliasDuplicateObjects: false }));
}

function toYamlResource({
  type,
  properties,
  customTimeouts,
  dependsOn,
  deletedWith,
}: ProgramResource): unknown {
  return {
    type: `management:index:${type}`,
    properties: toYamlValue(properties),
    options: {
      protect: true,
      ...(dependsOn.length > 0 && { dependsOn: dependsOn.map(({ name }) => `\${${name}}`) }),
      ...(deletedWith !== undefined && { deletedWith: `\${${deletedWith.name}}` }),
      ...(customTimeouts !== undefined && { customTimeouts }),
    },
  };
}

function renderCommentedOut(declared: ProgramResource): string {
  const { name, properties, comment = "" } = declared;
  const resource = toYamlResource({ ...declared, properties: { ...properties, adopt: true } });
  const lines = new Document({ [name]: resource }, WRITTEN);
  const keys = Object.values(properties).flatMap((value) =>
    value instanceof ConfigSecret ? [value.key] : [],
  );
  const config = keys.map((key) => `Below \`config\`: ${key}: { type: string, secret: true }`);
  const text = [...config, "Below `resources`:", lines.toString(FORMAT).trimEnd()].join("\n");
  return `${commentOut(comment, text, "#")}\n`;
}

/** A reference ends at the first character that no name in this language has. */
function canBeReferred({ name }: ProgramResource): boolean {
  return /^\w[\w-]*$/.test(name);
}

/** What the language writes otherwise: `${` begins a reference, and two dollar signs stand for one. */
function toYamlValue(value: unknown): unknown {
  if (value instanceof Reference)
    return canBeReferred(value.to) ? `\${${value.to.name}.${value.property}}` : textOf(value.to.importId);
  if (value instanceof ConfigSecret) return `\${${value.key}}`;
  if (typeof value === "string") return textOf(value);
  if (Array.isArray(value)) return value.map(toYamlValue);
  if (typeof value !== "object" || value === null) return value;
  const map = new YAMLMap();
  for (const [key, each] of Object.entries(value)) map.items.push(new Pair(keyOf(key), toYamlValue(each)));
  return map;
}

function textOf(value: string): Scalar {
  const text = escapeDollars(value);
  const scalar = new Scalar(text);
  // The engine's parser takes a tab before the first character for a wrong indentation.
  if (text.includes("\n") && /^\S/.test(text) && !hasHidden(text)) scalar.type = Scalar.BLOCK_LITERAL;
  else if (!/^[A-Za-z][\w ./+-]*$/.test(text) || WORDS_OF_1_1.test(text)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** What the older version of YAML takes for no text. */
const WORDS_OF_1_1 = /^(?:y|n|yes|no|on|off)$/i;

function keyOf(key: string): Scalar {
  const scalar = new Scalar(escapeDollars(key));
  if (!/^[A-Za-z_][\w-]*$/.test(key) || WORDS_OF_1_1.test(key)) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function escapeDollars(text: string): string {
  return text.replaceAll(/\$\$+|\$(?=\{)/g, (dollars) => dollars + dollars);
}

/** Without the objects that the language cannot declare as they are; each is listed with the reason. */
export function omitUndeclarable(inventory: Inventory): Inventory {
  const { objects, failed } = inventory;
  const explainWhyNot = ({ inputs, declares = inputs }: InventoryObject): string | undefined =>
    explainUndeclarable(declares);
  return {
    ...inventory,
    objects: objects.filter((each) => explainWhyNot(each) === undefined),
    failed: [
      ...failed,
      ...objects.flatMap((each) => {
        const why = explainWhyNot(each);
        return why === undefined ? [] : [{ type: each.type, label: each.label, why }];
      }),
    ],
  };
}

/** Why a value cannot be declared: the language calls a function for such a key, and has no escape for it. */
function explainUndeclarable(value: unknown): string | undefined {
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : "YAML has no text with half a character. Use another language";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    if (/^fn::/i.test(key))
      return "Pulumi's YAML takes a key that begins with `fn::` for a call. Use another language";
    const why = explainUndeclarable(key) ?? explainUndeclarable(each);
    if (why !== undefined) return why;
  }
  return undefined;
}

import { Document, isMap, parseDocument, Scalar, YAMLMap } from "yaml";
import { PLUGIN } from "../documents";
import { ConfigSecret, Reference, type Declared, type Program } from "../model";

/** The whole `Pulumi.yaml`; `present` is the one of an earlier run, to which what is new is added. */
export function yamlProgram(program: Program, present?: string): string {
  const doc =
    present === undefined
      ? new Document({
          name: program.name,
          runtime: "yaml",
          plugins: { providers: [{ name: "management", path: PLUGIN }] },
        })
      : parseDocument(present);
  const declared = program.resources.filter(({ comment }) => comment === undefined);
  for (const key of program.secrets.keys()) {
    if (!doc.hasIn(["config", key])) setIn(doc, ["config", key], { type: "string", secret: true });
  }
  for (const each of declared) {
    // What was taken out of the program since an earlier run is not named.
    const isThere = (first: Declared): boolean =>
      declared.includes(first) || doc.hasIn(["resources", first.name]);
    const { dependsOn, deletedWith } = each;
    const known = {
      ...each,
      dependsOn: dependsOn.filter(isThere),
      deletedWith: deletedWith !== undefined && isThere(deletedWith) ? deletedWith : undefined,
    };
    setIn(doc, ["resources", each.name], resourceOf(known));
  }
  const project = declared.find(({ type }) => type === "Project");
  if (project !== undefined && present === undefined)
    setIn(doc, ["outputs"], { ref: `\${${project.name}.ref}` });
  const text = doc.toString({ lineWidth: 0 });
  const comments = program.resources.filter(({ comment }) => comment !== undefined).map(commentedOut);
  return comments.length === 0 ? text : `${text}\n${comments.join("\n")}`;
}

function setIn(doc: Document, path: readonly string[], value: unknown): void {
  const [first = ""] = path;
  // A section that an editor emptied is no map.
  if (path.length > 1 && !isMap(doc.get(first))) doc.set(first, new YAMLMap());
  doc.setIn(path, doc.createNode(value, { aliasDuplicateObjects: false }));
}

function resourceOf({ type, properties, customTimeouts, dependsOn, deletedWith }: Declared): unknown {
  return {
    type: `management:index:${type}`,
    properties: plain(properties),
    options: {
      protect: true,
      ...(dependsOn.length > 0 && { dependsOn: dependsOn.map(({ name }) => `\${${name}}`) }),
      ...(deletedWith !== undefined && { deletedWith: `\${${deletedWith.name}}` }),
      ...(customTimeouts !== undefined && { customTimeouts }),
    },
  };
}

function commentedOut(declared: Declared): string {
  const { name, properties, comment = "" } = declared;
  const lines = new Document({
    [name]: resourceOf({ ...declared, properties: { ...properties, adopt: true } }),
  });
  const keys = Object.values(properties).flatMap((value) =>
    value instanceof ConfigSecret ? [value.key] : [],
  );
  const config = keys.map((key) => `Below \`config\`: ${key}: { type: string, secret: true }`);
  return [comment, ...config, "Below `resources`:", ...lines.toString({ lineWidth: 0 }).trimEnd().split("\n")]
    .map((line) => `# ${line}\n`)
    .join("");
}

/** What the language writes otherwise: `${` begins a reference, and two dollar signs stand for one. */
function plain(value: unknown): unknown {
  if (value instanceof Reference) return `\${${value.to.name}.${value.property}}`;
  if (value instanceof ConfigSecret) return `\${${value.key}}`;
  if (typeof value === "string") {
    const text = escaped(value);
    const scalar = new Scalar(text);
    if (text.includes("\n")) scalar.type = Scalar.BLOCK_LITERAL;
    else if (!/^[A-Za-z][\w ./+-]*$/.test(text)) scalar.type = Scalar.QUOTE_DOUBLE;
    return scalar;
  }
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [escaped(key), plain(each)]));
}

function escaped(text: string): string {
  return text.replaceAll(/\$\$+|\$(?=\{)/g, (dollars) => dollars + dollars);
}

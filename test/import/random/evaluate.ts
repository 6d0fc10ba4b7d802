import { runInNewContext } from "node:vm";
import ts from "typescript";
import { parse } from "yaml";
import { isObject } from "../../../spec/is-object";
import type { Program } from "../../../import/model";

/** A resource as a program declares it when it runs, with the values of the configuration. */
export interface Evaluated {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly protect: unknown;
  /** The names of what it depends on and is deleted with. */
  readonly dependsOn: readonly string[];
  readonly deletedWith: string | undefined;
}

interface Options {
  readonly protect?: unknown;
  readonly dependsOn?: readonly { readonly pulumiName: string }[];
  readonly deletedWith?: { readonly pulumiName: string };
}

/** What a program of the classes declares, by the names of the resources. */
export function evaluateTypeScript(text: string, program: Program): Map<string, Evaluated> {
  const declared = new Map<string, Evaluated>();
  const classOf = (type: string) =>
    class {
      readonly ref: string;
      readonly pulumiName: string;
      constructor(name: string, inputs: Record<string, unknown>, options: Options = {}) {
        if (declared.has(name)) throw new Error(`two resources are named ${name}`);
        const { protect, dependsOn = [], deletedWith } = options;
        const dependencies = Array.from(dependsOn, (each) => each.pulumiName);
        const above = { dependsOn: dependencies, deletedWith: deletedWith?.pulumiName };
        declared.set(name, { type, inputs: copyOf(inputs), protect, ...above });
        this.pulumiName = name;
        this.ref = program.resources.find((each) => each.name === name)?.importId ?? "";
      }
    };
  const management = new Proxy({}, { get: (_, type) => classOf(String(type)) });
  const pulumi = {
    Config: class {
      requireSecret = (key: string): string => secretOf(program, key);
    },
  };
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: false,
    },
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  const packages: Readonly<Record<string, unknown>> = {
    "pulumi-management": management,
    "@pulumi/pulumi": pulumi,
  };
  // Without the interop flag, a namespace import is the module itself.
  runInNewContext(outputText, { exports: {}, require: (name: string) => packages[name] });
  return declared;
}

/** What a program in YAML declares, by the names of the resources: as the language host reads texts and keys. */
export function evaluateYaml(text: string, program: Program): Map<string, Evaluated> {
  const { resources = {}, config = {} } = parse(text) as {
    readonly resources?: Readonly<
      Record<string, { type: string; properties: object; options?: YamlOptions }>
    >;
    readonly config?: Readonly<Record<string, unknown>>;
  };
  const valueOf = (expression: string): string => {
    const [name = "", property] = expression.split(".");
    if (property === undefined && Object.hasOwn(config, name)) return secretOf(program, name);
    const to = program.resources.find((each) => each.name === name);
    if (property !== "ref" || to === undefined) throw new Error(`\${${expression}} refers to nothing`);
    return to.importId;
  };
  const interpolated = (given: string): string =>
    given.replaceAll(/\$\$|\$\{([^}]*)\}?/g, (found, expression: string | undefined) =>
      found === "$$" ? "$" : valueOf(expression ?? ""),
    );
  const evaluated = (value: unknown): unknown => {
    if (typeof value === "string") return interpolated(value);
    if (Array.isArray(value)) return value.map(evaluated);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [interpolated(key), evaluated(each)]),
    );
  };
  return new Map(
    Object.entries(resources).map(([name, { type, properties, options }]) => [
      name,
      {
        type: type.replace("management:index:", ""),
        inputs: evaluated(properties) as Readonly<Record<string, unknown>>,
        protect: options?.protect,
        dependsOn: (options?.dependsOn ?? []).map(nameIn),
        deletedWith: options?.deletedWith === undefined ? undefined : nameIn(options.deletedWith),
      },
    ]),
  );
}

interface YamlOptions {
  readonly protect?: unknown;
  readonly dependsOn?: readonly string[];
  readonly deletedWith?: string;
}

function nameIn(reference: string): string {
  return /^\$\{([^.}]+)\}$/.exec(reference)?.[1] ?? reference;
}

function secretOf({ secrets }: Program, key: string): string {
  const value = secrets.get(key);
  if (value === undefined) throw new Error(`the configuration has no ${key}`);
  return value;
}

/** Plain values of this realm. */
function copyOf(inputs: Record<string, unknown>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(inputs)) as Readonly<Record<string, unknown>>;
}

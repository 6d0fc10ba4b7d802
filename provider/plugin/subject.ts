import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { resourceByType } from "../catalog/catalog";
import { createComponentNames, renameInMessages } from "../components/declared-names";
import type { AnyResource } from "../define/resource";
import { parseToken } from "../define/token";
import type { StepReporter } from "../process/status-reporter";
import type { Runtime } from "../engine/step/runtime";
import {
  toSecret,
  listDerivedSecrets,
  keepSecretMarks,
  listSecretTexts,
  collectTexts,
  omitComposed,
  wrapSecrets,
  isMarkedAt,
} from "../engine/schema/secrets";
import type { Values } from "../define/values";
import { marshal, unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { OWNER } from "../ledger/owner";

/** The resource that a request is about, and how its properties come in and go out. */
export class RequestSubject {
  readonly resource: AnyResource;
  readonly urn: string;
  readonly #plugin: PluginProcess;
  readonly #lines: StepReporter;
  readonly #secretNames = new Set<string>();
  readonly #secretInState = new Set<string>();

  constructor(plugin: PluginProcess, request: { getUrn(): string; getType(): string }) {
    this.#plugin = plugin;
    this.urn = request.getUrn();
    this.#lines = plugin.open(this.urn);
    this.resource = resourceByType(parseToken(request.getType() || parseType(this.urn)));
  }

  /** Inputs: a secret that the user made of a property stays one in every answer. */
  readInputs(struct: Struct | undefined): Values {
    const { values, secretNames, secretPaths } = unmarshal(struct);
    for (const path of secretPaths) {
      // What the schema makes a secret of by itself does not make one of all that stands beside it.
      if (!isMarkedAt(this.resource.inputs, path)) this.#secretNames.add(String(path[0]));
    }
    return this.#keepingSecrets(values, secretNames);
  }

  /** Whether the user made a secret of the input, or of something in it. */
  readonly isSecret = (name: string): boolean => this.#secretNames.has(name);

  /** Whether a property of the state is a secret, or holds one. */
  readonly isSecretInState = (name: string): boolean => this.#secretInState.has(name);

  state(struct: Struct | undefined): Values {
    const { values, secretNames } = unmarshal(struct);
    for (const name of secretNames) this.#secretInState.add(name);
    return this.#keepingSecrets(values, secretNames);
  }

  /** Properties with every secret marked: those of the schema, nested ones included, and the user's own. */
  readonly sealSecrets = (values: Values): Values => {
    this.#plugin.keepSecret(listSecretTexts(this.resource, values));
    const names = new Set([...this.#secretNames, ...listDerivedSecrets(this.resource, this.isSecret)]);
    return keepSecretMarks(wrapSecrets(this.resource, values, toSecret), names);
  };

  /** What a request is about: a caller without a stack, as `pulumi do`, names it by its import id. */
  resolveTarget(id: string, state: Values): { readonly id: string; readonly state: Values } {
    const named = this.resource.importId.parse(id);
    const isSame = ([name, value]: [string, unknown]): boolean => (state[name] ?? value) === value;
    if (named === undefined || !Object.entries(named.inputs).every(isSame)) return { id, state };
    return { id: named.id, state: { ...named.inputs, ...state } };
  }

  /** Inputs or state that tell which resource of which program they are of. */
  addOwner(values: Values): Values {
    return { ...values, [OWNER]: this.urn };
  }

  toAnswer(values: Values): Struct {
    return marshal(this.sealSecrets(values));
  }

  createRuntime(timeoutSeconds: number): Runtime {
    return renameInMessages(this.#plugin.runtime(this.#lines, timeoutSeconds), this.resource, this.urn);
  }

  /** What is thrown, redacted and in the names of the component that has made the resource. */
  printError(text: string): string {
    return createComponentNames(this.resource, this.urn).error(this.#plugin.print(text));
  }

  /** Ends the lines of the request. */
  async end(): Promise<void> {
    await this.#lines.end();
  }

  /** Messages must not repeat any of them. */
  #keepingSecrets(values: Values, secretNames: ReadonlySet<string>): Values {
    const marked = Object.fromEntries([...secretNames].map((name) => [name, values[name]]));
    const texts = [
      ...listSecretTexts(this.resource, values),
      ...collectTexts(omitComposed(this.resource, marked)),
    ];
    this.#plugin.keepSecret(texts);
    return values;
  }
}

/** `urn:pulumi:<stack>::<project>::<parent type>$<type>::<name>` */
function parseType(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

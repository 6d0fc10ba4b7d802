import type { dynamic } from "@pulumi/pulumi";
import type { AnyResource } from "../define/resource";
import { checkInputs } from "../engine/check";
import { createResource } from "../engine/create/create";
import { describeCreation } from "../engine/plan-lines";
import { importResource } from "../engine/import";
import { InitializationError, omitPropertyName } from "../engine/step/errors";
import { createComponentNames, renameInMessages } from "../components/declared-names";
import { OWNER, readOwner } from "../ledger/owner";
import { checkAgainstProgram } from "../engine/program-conflicts";
import {
  toSecret,
  listDerivedSecrets,
  keepSecretMarks,
  listSecretTexts,
  collectTexts,
  wrapSecrets,
} from "../engine/schema/secrets";
import { formatSubject, type Runtime } from "../engine/step/runtime";
import { isOwnKey, type Values } from "../define/values";
import { deleteResource } from "../engine/delete";
import { readResource } from "../engine/read";
import { updateResource } from "../engine/update";
import { diffResource } from "../engine/diff";
import { describeNotSentIfAdopted } from "../engine/step/adopted";
import { UNKNOWN, omitUnknown } from "../define/unknown";
import { isMarkedSecret, MARKED, pickMarkedInputs } from "./secret-inputs";
import type { ProcessRuntime } from "../process/process-runtime";
import type { StepReporter } from "../process/status-reporter";
import { createClaim } from "../ledger/claim";

/** The engine's own property: which provider made the resource. */
const PROVIDER = "__provider";

const PACKAGE = "pulumi-management";
const SEE_ENGINE = "the step failed; see the error of the resource";
let printsOnce = false;

/** The SDK prints "<error>: <stack>" to the terminal for each error, beside the message that the engine shows: once is enough. */
function printFailuresOnce(): void {
  if (printsOnce) return;
  printsOnce = true;
  const { error: print } = console;
  let isPrinted = false;
  const printOnce: typeof console.error = (...texts) => {
    const isOurs = texts.length === 1 && texts[0] === `${PACKAGE}: ${SEE_ENGINE}`;
    if (isOurs && isPrinted) return;
    isPrinted ||= isOurs;
    print(...texts);
  };
  Reflect.set(console, "error", printOnce);
}

/** An error as the SDK's dynamic provider process hands it to the engine. */
class StepError extends Error {
  constructor(
    message: string,
    readonly id?: string,
    readonly properties?: Values,
    readonly reasons?: readonly string[],
  ) {
    super(message);
    this.stack = SEE_ENGINE;
    printFailuresOnce();
  }

  override toString(): string {
    return PACKAGE;
  }
}

/** The engine passes no old inputs, or empty ones, for a resource that is not there yet. */
function pickExisting(olds: Values | undefined): Values | undefined {
  return olds === undefined || Object.keys(olds).length === 0 ? undefined : olds;
}

/** Whether the engine has the object in its state: `get` of a class gives nothing but an import id. */
function isRecorded(props: Values): boolean {
  return Object.keys(props).some((name) => !isOwnKey(name));
}

/** Adapts a resource to Pulumi's dynamic providers; `run` wraps every step that calls the service. */
export function createDynamicProvider(
  resource: AnyResource,
  processRuntime: ProcessRuntime,
  run: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): dynamic.ResourceProvider {
  /**
   * What the engine keeps, of what it gave; the owner and the marks of secrets go along, as a later read or delete is told
   * nothing else of them.
   */
  const toOuts = (state: Values, ...given: readonly Values[]): Values => {
    processRuntime.keepSecret(listSecretTexts(resource, state));
    const marks: Values = {};
    for (const name of [OWNER, MARKED]) {
      const value = given.map((values) => values[name]).find(Boolean);
      if (value !== undefined) marks[name] = value;
    }
    return { ...sealSecrets(state, given), ...marks };
  };

  /** With every secret marked but for inputs of which the program made one, which the engine marks by itself. */
  const sealSecrets = (values: Values, given: readonly Values[]): Values => {
    const marked = given.find((each) => each[MARKED] !== undefined) ?? {};
    const derived = listDerivedSecrets(resource, isMarkedSecret(marked));
    const wrapped = wrapSecrets(resource, values, (value) => (value === UNKNOWN ? value : toSecret(value)));
    return keepSecretMarks(wrapped, new Set(derived));
  };

  const print = (text: string): string => processRuntime.print(text);

  const ownerOf = (values: readonly Values[]): string =>
    values.map(readOwner).find((owner) => owner !== "") ?? "";

  /**
   * Runs a step; whatever it throws leaves without a secret, without a stack, and in the names of the component that has made
   * the resource.
   */
  const step = async <T>(
    values: readonly Values[],
    work: () => Promise<T>,
    owned: readonly Values[] = values,
  ): Promise<T> => {
    const printError = (text: string): string =>
      createComponentNames(resource, ownerOf(owned)).error(print(text));
    for (const given of values) {
      processRuntime.keepSecret([
        ...listSecretTexts(resource, given),
        ...collectTexts(pickMarkedInputs(given)),
      ]);
    }
    try {
      return await work();
    } catch (error) {
      if (error instanceof InitializationError) {
        const provider = values.map((given) => given[PROVIDER]).find(Boolean);
        const properties = { ...toOuts(error.state, ...values), [PROVIDER]: provider };
        throw new StepError(printError(error.message), error.id, properties, error.reasons.map(printError));
      }
      throw new StepError(printError(error instanceof Error ? error.message : String(error)));
    }
  };

  const runtimeFor = (lines: StepReporter, values: readonly Values[]): Runtime =>
    renameInMessages(processRuntime.runtime(lines), resource, ownerOf(values));

  /** A step that calls the service. */
  const runInStep = <T>(values: readonly Values[], work: (runtime: Runtime) => Promise<T>): Promise<T> =>
    run(async () => {
      const lines = processRuntime.open();
      try {
        return await step(values, () => work(runtimeFor(lines, values)));
      } finally {
        await lines.end();
      }
    });

  /** A step that calls nothing, and may tell something. */
  const computeStep = <T>(
    values: readonly Values[],
    work: (runtime: Runtime) => T,
    owned: readonly Values[] = values,
  ): Promise<T> =>
    step(
      values,
      async () => {
        const lines = processRuntime.open();
        try {
          return work(runtimeFor(lines, owned));
        } finally {
          await lines.end();
        }
      },
      owned,
    );

  return {
    // Not async: the SDK hands the provider out before it awaits this (design, Dynamic adapter 19).
    configure(request) {
      processRuntime.configure((name) => request.config.get(`management:${name}`));
      return Promise.resolve();
    },
    check: (olds: Values, news: Values) =>
      computeStep([news], (runtime) => {
        const redaction = { redact: print, isSecret: isMarkedSecret(news) };
        const before = pickExisting(olds);
        const owner = readOwner(news);
        const { inputs, failures, warnings, notes } = checkInputs(resource, news, before, redaction, {
          owner,
          isReplaceable: (parent) => runtime.program.isReplaceable(parent),
          installation: runtime.installation(),
        });
        const sameName = checkAgainstProgram(runtime.program, resource, inputs, failures);
        if (failures.length === 0) runtime.program.recordCheck(resource.type, owner, inputs, before);
        const ofRun = [...processRuntime.configurationFaults(), ...runtime.ledger.listFolderFailures()];
        const declared = createComponentNames(resource, owner);
        const own = [...failures, ...sameName].map(declared.failure);
        const reported = [...own, ...ofRun].map((failure) => omitPropertyName(failure, print));
        const subject = formatSubject(resource, inputs, createClaim(resource, omitUnknown(inputs), owner));
        for (const warning of warnings) runtime.warn(warning, subject);
        for (const note of notes) runtime.info(note, subject);
        // A preview asks nothing else of a resource that is not there yet.
        const line = before === undefined ? describeNotSentIfAdopted(resource, inputs) : undefined;
        if (line !== undefined) runtime.info(line, subject);
        if (before === undefined && reported.length === 0)
          for (const planned of describeCreation(runtime.program, resource, inputs))
            runtime.info(planned, subject);
        return {
          inputs: sealSecrets(inputs, [news]),
          failures: reported,
        };
      }),
    diff: (id, olds: Values, news: Values) =>
      computeStep(
        [],
        (runtime) => {
          const isSecret = (name: string): boolean => [olds, news].some((each) => isMarkedSecret(each)(name));
          const found = diffResource(runtime, resource, id, olds, news, isSecret);
          const { changes, replaces, deleteBeforeReplace } = found;
          // State that the plugin wrote does not name this provider yet, without which it could be neither read nor deleted.
          const isFromPlugin = olds[PROVIDER] === undefined;
          return { changes: changes || isFromPlugin, replaces: [...replaces], deleteBeforeReplace };
        },
        [news, olds],
      ),
    create: (inputs: Values) =>
      runInStep([inputs], async (runtime) => {
        const { id, state } = await createResource(runtime, resource, inputs);
        return { id, outs: toOuts(state, inputs) };
      }),
    read: (id, props: Values = {}) =>
      runInStep([props], async (runtime) => {
        const read = isRecorded(props)
          ? await readResource(runtime, resource, id, props)
          : await importResource(runtime, resource, id, false);
        // The engine takes an empty id for "gone".
        if (read === undefined) return { id: "", props: {} };
        // What a definition keeps for itself ends with a read that does not have it.
        const kept = resource.bookkeeping?.shape ?? {};
        const own = Object.fromEntries(
          Object.entries(props).filter(([name]) => isOwnKey(name) && !Object.hasOwn(kept, name)),
        );
        return {
          id: read.id,
          props: toOuts({ ...own, ...read.state }, props),
          inputs: sealSecrets(read.inputs, [props]),
        };
      }),
    update: (id, olds: Values, news: Values) =>
      runInStep([olds, news], async (runtime) => {
        const { state } = await updateResource(runtime, resource, id, olds, news);
        return { outs: toOuts(state, news, olds) };
      }),
    delete: (id, props: Values) =>
      runInStep([props], (runtime) => deleteResource(runtime, resource, id, props)),
  };
}

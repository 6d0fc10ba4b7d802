import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { listDifferences } from "../../../define/compare";
import { fieldOf, listMarkedFields, traitsOf } from "../../../define/markers";
import type { ObservedResource } from "../../../define/resource";
import { omitUndefined, type Values } from "../../../define/values";
import type { CreateAttributes, LogDrainRecord, UpdateAttributes } from "./calls";
import type { LogDrainInputs } from "./fields";
import { ADDRESSES, KINDS, NEEDED, shapes, type LogDrainKind } from "./shapes";

type Config = CreateAttributes["config"];

/** The declared kind; undefined of what declares none. */
export function findKind(values: Partial<LogDrainInputs>): LogDrainKind | undefined {
  return KINDS.find((kind) => isGiven(values[kind]));
}

/** The kind of a log drain as it is shown, of whichever version of the service; undefined where it is not shown. */
export function readShownKind({ attributes }: LogDrainRecord): string | undefined {
  const kind: unknown = attributes?.backend_type;
  return typeof kind === "string" ? kind : undefined;
}

/** The kind of a log drain, if it is one that a program can declare. */
export function readKind({ attributes }: LogDrainRecord): LogDrainKind | undefined {
  return KINDS.find((kind) => kind === attributes?.backend_type);
}

export function toAttributes(declared: LogDrainInputs, kind: LogDrainKind): CreateAttributes {
  const { name, description } = declared;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    backend_type: kind,
    config: toConfig(kind, declared[kind] ?? {}),
  };
}

interface UpdateContext {
  /** What the service has now. */
  readonly shown: LogDrainRecord | undefined;
  /** Whether somebody else may have made it. */
  readonly isAdopted: boolean;
  readonly changed: ReadonlySet<string>;
}

interface ComposedUpdate {
  readonly attributes: UpdateAttributes;
  /** Inputs that the service has, or may have, a hidden value of, which the program does not declare. */
  readonly missing: readonly string[];
  /** Fields, as the service names them, that this version does not know and the service hides. */
  readonly unknownHidden: readonly string[];
}

/** The configuration only where a value of it changed (service, Log drains). `before` is the state. */
export function composeUpdate(
  declared: LogDrainInputs,
  kind: LogDrainKind,
  before: Partial<LogDrainInputs>,
  { shown, isAdopted, changed }: UpdateContext,
): ComposedUpdate {
  const undeclared = changed.has("description") ? "" : shown?.attributes?.description;
  const description = declared.description ?? undeclared;
  const attributes = {
    name: declared.name,
    ...(description == null ? {} : { description }),
    backend_type: kind,
  };
  if (!changed.has(kind)) return { attributes, missing: [], unknownHidden: [] };
  const current = shown === undefined ? {} : readConfig(shown);
  const own: Values = { ...declared[kind] };
  const remembered: Values = { ...before[kind] };
  const fields = listMarkedFields(shapes[kind]);
  const others = fields.filter(([name]) => !isGiven(own[name]) && !isGiven(remembered[name]));
  const unknown = omitUndefined(omitNames(current, new Set(fields.map(([name]) => toWireName(name)))));
  const hidden = fields.filter(([name, , { secret }]) => {
    const value = current[toWireName(name)];
    return (
      isEmpty(own[name]) &&
      isEmpty(remembered[name]) &&
      !isEmpty(value) &&
      (secret === true || isHidden(value))
    );
  });
  const unsaid = isAdopted ? listUnsaid(kind, own, remembered) : [];
  return {
    attributes: {
      ...attributes,
      config: {
        ...unknown,
        ...Object.fromEntries(
          others.flatMap(([name]): [string, unknown][] => {
            const value = current[toWireName(name)];
            return isEmpty(value) ? [] : [[toWireName(name), value]];
          }),
        ),
        ...toConfig(kind, own),
      },
    },
    missing: [...new Set([...hidden.map(([name]) => `${kind}.${name}`), ...unsaid])],
    unknownHidden: Object.entries(unknown).flatMap(([name, value]) => (isHidden(value) ? [name] : [])),
  };
}

/** Whether the configuration is to be sent: a credential that is declared for the first time of an adopted drain is recorded only. */
export function isConfigChanged(kind: LogDrainKind, remembered: Values | undefined, own: Values): boolean {
  const isRecorded = (name: string): boolean =>
    traitsOf(fieldOf(shapes[kind], name) ?? z.unknown()).writeOnly === true && !isGiven(remembered?.[name]);
  return listDifferences(shapes[kind], remembered, own, [], true).some(
    ({ path: [name] }) => name === undefined || !isRecorded(String(name)),
  );
}

/** What an adopted drain may have without the service showing it, and of which the program says nothing. */
export function listUnsaid(kind: LogDrainKind, own: Values, remembered: Values): string[] {
  return listMarkedFields(shapes[kind]).flatMap(([name, , { secret }]) => {
    const isSaid = NEEDED[kind].includes(name)
      ? !isEmpty(own[name]) || !isEmpty(remembered[name])
      : isGiven(own[name]) || isGiven(remembered[name]);
    return secret === true && !isSaid ? [`${kind}.${name}`] : [];
  });
}

/** Without credentials: those of `known` count as what the service has. */
export function toInputs(
  record: LogDrainRecord,
  known: Partial<LogDrainInputs>,
): ObservedResource<LogDrainInputs, object>["inputs"] {
  const { name, description } = record.attributes ?? {};
  const shownKind = readShownKind(record);
  const kind = shownKind === undefined ? findKind(known) : readKind(record);
  const configurations = KINDS.map((each) => [
    each,
    // Of a kind that this version does not know, nothing of what is declared can be said.
    each === kind
      ? readShape(each, readConfig(record), known[each])
      : kind === undefined || shownKind === undefined
        ? undefined
        : null,
  ]);
  return {
    ...(Object.fromEntries(configurations) as Partial<LogDrainInputs>),
    name: typeof name === "string" ? name : undefined,
    description,
    // A kind of a later version of the service differs from the declared one, whatever it is.
    backendType: shownKind as LogDrainInputs["backendType"],
  };
}

/** What is shown of a configuration: of one that is known, the declared fields. What an answer lacks is as it was. */
function readShape(kind: LogDrainKind, config: Values, known: Values | undefined): Values {
  const fields = listMarkedFields(shapes[kind]).filter(
    ([name]) => known === undefined || isGiven(known[name]),
  );
  return omitUndefined(
    Object.fromEntries(
      fields.map(([name, field, { secret }]) => {
        const shown = config[toWireName(name)];
        const was = known?.[name];
        if (secret === true) return [name, isOtherAddress(name, shown, was) ? shown : was];
        return [name, isGiven(shown) && !isHidden(shown) && field.safeParse(shown).success ? shown : was];
      }),
    ),
  );
}

/** Dots, asterisks or a word in place of a value or of a part of it. */
const MASKED = /[*•·●.]{3,}|…|^\W*(?:redacted|hidden|masked)\W*$/iu;

/** Whether something stands in place of the value, or of a part of it. */
function isHidden(value: unknown): boolean {
  if (typeof value === "string") return MASKED.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isHidden);
}

/** Whether an address that is shown leads elsewhere, by what of it is no secret: users, passwords and queries may be hidden. */
function isOtherAddress(name: string, shown: unknown, known: unknown): boolean {
  if (!ADDRESSES.includes(name) || typeof shown !== "string" || typeof known !== "string") return false;
  if (MASKED.test(shown) || !URL.canParse(shown) || !URL.canParse(known)) return false;
  const placeOf = (address: string): string => {
    const { protocol, host, pathname } = new URL(address);
    return `${protocol}//${host}${pathname}`;
  };
  return placeOf(shown) !== placeOf(known);
}

function readConfig({ attributes }: LogDrainRecord): Values {
  const config: unknown = attributes?.config;
  return isObject(config) ? config : {};
}

/**
 * The names of the wire: `apiKey` is `api_key`. Names within a field, as of headers, are the program's own. An empty credential says
 * that there is none.
 */
function toConfig(kind: LogDrainKind, configuration: Values): Config {
  const credentials = listMarkedFields(shapes[kind]).flatMap(([name, , { writeOnly }]) =>
    writeOnly === true ? [name] : [],
  );
  return Object.fromEntries(
    Object.entries(configuration)
      .filter(([name, value]) => (credentials.includes(name) ? !isEmpty(value) : isGiven(value)))
      .map(([name, value]) => [toWireName(name), value]),
  );
}

function omitNames(values: Values, names: ReadonlySet<string>): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

function toWireName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isEmpty(value: unknown): boolean {
  return !isGiven(value) || value === "" || (isObject(value) && Object.keys(value).length === 0);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

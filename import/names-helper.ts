import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { updateAuthConfigBody } from "../spec/auth-config-body";
import { loadNames } from "../spec/names/load-names";

const HELPER_BEGINNING = "// Written by management-names";

/** Writes it into a file, which is new or was written so before. */
export function writeHelperFile(namesFile: string, helperFile: string): void {
  const helper = writeNamesHelper(namesFile);
  const found = lstatSync(helperFile, { throwIfNoEntry: false });
  const isOurs = found?.isFile() === true && readFileSync(helperFile, "utf8").startsWith(HELPER_BEGINNING);
  if (found !== undefined && !isOurs) {
    throw new Error(
      `${helperFile} exists, and management-names did not write it. Choose another name for the helper.`,
    );
  }
  writeFileSync(helperFile, helper);
}

/** A TypeScript module in which a program finds the identity providers and SMS vendors under the installation's words. */
export function writeNamesHelper(namesFile: string): string {
  const { toWire } = loadNames(namesFile);
  const fields = Object.keys(updateAuthConfigBody.shape);
  const findWord = (field: string, before: string, after: string): string => {
    const wire = toWire.key(updateAuthConfigBody, field);
    const isUsual =
      wire.startsWith(before) && wire.endsWith(after) && wire.length > before.length + after.length;
    return isUsual ? wire.slice(before.length, -after.length) : field.slice(before.length, -after.length);
  };
  const listWords = (pattern: RegExp, before: string): [string, string][] => {
    const first = new Map<string, [string, string]>();
    for (const field of fields) {
      const [, placeholder, after] = pattern.exec(field) ?? [];
      if (placeholder === undefined || after === undefined || first.has(placeholder)) continue;
      first.set(placeholder, [findWord(field, before, after), placeholder]);
    }
    return [...first.values()];
  };
  const provider = (placeholder: string): string => {
    const { sms_provider: word } = toWire.value(updateAuthConfigBody, { sms_provider: placeholder }) as {
      sms_provider: string;
    };
    return word;
  };
  const providers = updateAuthConfigBody.shape.sms_provider.unwrap().unwrap().options;
  return `${HELPER_BEGINNING}. Run it again when the names file changes.
import type { AuthConfigArgs } from "pulumi-management";

/** Slots of identity providers, by the installation's words. */
export const identityProviders = ${formatWordTable(listWords(/^external_(idp\d\d)(_enabled)$/, "external_"))};

/** SMS vendors, by the installation's words. */
export const smsVendors = ${formatWordTable(listWords(/^sms_(vendor[A-D])(_.+)$/, "sms_"))};

/** Values of \`provider\`, by the installation's words. */
export const smsProviders = ${formatWordTable(providers.map((each) => [provider(each), each]))};

type Plain<T> = T extends { then: unknown } | { apply: unknown } | undefined ? never : T;
type External = Plain<AuthConfigArgs["external"]>;
type Sms = Plain<AuthConfigArgs["sms"]>;
type Vendors = typeof smsVendors;

/** \`external\` of an \`AuthConfig\`. */
export function external(settings: {
  readonly [W in keyof typeof identityProviders]?: External[(typeof identityProviders)[W]];
}): External {
  return renamed(identityProviders, settings);
}

/** \`sms\` of an \`AuthConfig\`. */
export function sms({
  provider,
  ...settings
}: Omit<Sms, "provider" | Vendors[keyof Vendors]> & { readonly [W in keyof Vendors]?: Sms[Vendors[W]] } & {
  readonly provider?: keyof typeof smsProviders;
}): Sms {
  return {
    ...renamed(smsVendors, settings),
    ...(provider === undefined ? {} : { provider: smsProviders[provider] }),
  };
}

function renamed(names: Readonly<Record<string, string>>, settings: object): object {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [Object.hasOwn(names, key) ? names[key] : key, value]),
  );
}
`;
}

function formatWordTable(words: readonly (readonly [string, string])[]): string {
  const lines = words.map(
    // As a plain key it would be the prototype.
    ([word, placeholder]) =>
      `  ${word === "__proto__" ? '["__proto__"]' : JSON.stringify(word)}: ${JSON.stringify(placeholder)},\n`,
  );
  return `{\n${lines.join("")}} as const`;
}

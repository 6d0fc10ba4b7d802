import { Option } from "commander";
import {
  DEFAULT_PREFIX,
  namePrefix,
  repositoryAddress,
} from "../../provider/resources/branches/shared/preview-identity";
import { CommandLineError } from "./command-line-error";

/** Not less than an hour, which jobs may last. */
const LEAST_UNLOCK_MINUTES = 60;

export const project = new Option("--project <ref>", "project that the branches are made from")
  .makeOptionMandatory()
  .argParser((text) => {
    if (isReference(text)) return text;
    throw new CommandLineError("--project takes the project's reference, twenty lower-case letters");
  });

export const repository = new Option(
  "--repository <address>",
  "web address of the repository, as https://forge.example.com/acme/shop (default: that of the job)",
).argParser((text) => {
  if (repositoryAddress.safeParse(text).success) return text;
  throw new CommandLineError(
    `--repository takes the repository's web address, as https://forge.example.com/acme/shop; got ${text}`,
  );
});

export const prefix = new Option("--prefix <text>", "what names of previews begin with")
  .default(DEFAULT_PREFIX)
  .argParser((text) => {
    if (namePrefix.safeParse(text).success) return text;
    throw new CommandLineError(
      `--prefix takes at most 40 letters, digits, \`.\`, \`_\` and \`-\`, not ending with a digit, as ${DEFAULT_PREFIX}; got ${JSON.stringify(text)}`,
    );
  });

export const number = new Option("--number <number>", "number of the pull request")
  .makeOptionMandatory()
  .argParser((text) => {
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    throw new CommandLineError(`--number takes the number of a pull request; got ${text}`);
  });

export function stackPattern(byDefault: string) {
  const description = `name of the stack, with {name} for the preview's (default: ${byDefault})`;
  return new Option("--stack-pattern <name>", description).argParser((text) => {
    if (text.includes("{name}")) return text;
    throw new CommandLineError(
      "--stack-pattern takes a name with {name}, which is the preview's: a stack belongs to one pull request of one repository",
    );
  });
}

export const workDir = new Option("--work-dir <folder>", "folder of the stack's program").default(
  ".",
  "this one",
);

export const unlockAfter = new Option(
  "--unlock-after-minutes <number>",
  `takes away the stack's locks where all are older, at least ${LEAST_UNLOCK_MINUTES}: longer than any job lasts`,
).argParser((text) => {
  const minutes = wholeNumber("unlock-after-minutes")(text);
  if (minutes >= LEAST_UNLOCK_MINUTES) return minutes;
  throw new CommandLineError(
    `--unlock-after-minutes takes at least ${LEAST_UNLOCK_MINUTES}, longer than any job lasts: a younger lock may be a live one's`,
  );
});

export function isReference(text: string): boolean {
  return /^[a-z]{20}$/.test(text);
}

export function wholeNumber(name: string) {
  return (text: string): number => {
    if (/^\d{1,6}$/.test(text)) return Number(text);
    throw new CommandLineError(`--${name} takes a whole number; got ${text}`);
  };
}

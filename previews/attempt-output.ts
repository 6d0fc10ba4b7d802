/* oxlint-disable no-control-regex -- the engine's colours are what is taken away */
import type { Commands } from "./engine-command";
import { createLineBuffer } from "./line-buffer";

/** How the engine marks what failed, or our package in the engine's progress. */
const FAILURE = /\berror:|\*\*(?:\w+ )?failed\*\*|\bthe step failed;/;
const COLOUR = /\u001b\[[0-9;:]{0,40}m/g;

/** The words for each mark where the failure was repaired. */
const REPAIRED: readonly (readonly [RegExp, string])[] = [
  [/\berror:/g, "first attempt:"],
  [/\*\*(?:\w+ )?failed\*\*(?: \d+ errors?)?/g, "stopped"],
  [/\bthe step failed; see the error of the resource/g, "the step stopped"],
  [/\b(\d+) errored\b/g, "$1 stopped"],
];

type Write = (text: string) => void;

/**
 * What a command prints that may have to run again. From the first error on, the output is held back until that is known: a failure
 * that the second attempt repairs is shown without the marks of an error.
 */
export class AttemptOutput {
  /** The same, but for where the output goes. */
  readonly commands: Commands;
  private readonly held: { readonly write: Write; readonly text: string }[] = [];
  private readonly buffers: ReturnType<typeof createLineBuffer>[];
  private isHeldBack = false;

  constructor(commands: Commands) {
    const out = this.holdErrors(commands.out);
    const err = this.holdErrors(commands.err);
    this.buffers = [out, err];
    this.commands = { ...commands, out: out.write, err: err.write };
  }

  /** Shows what was held back as it is: no second attempt repairs it. */
  show(): void {
    for (const { write, text } of this.takeHeld()) write(text);
  }

  /** Shows what was held back as the end of an attempt that is repeated; the answer shows the errors as they were. */
  showRepeated(say: (line: string) => void): () => void {
    const held = this.takeHeld();
    if (held.length > 0) say("The first attempt ended with this:");
    for (const { write, text } of held) write(omitMarks(text));
    return () => {
      if (held.length > 0) say("The first attempt failed with this:");
      for (const { write, text } of held) write(text);
    };
  }

  private takeHeld() {
    for (const buffer of this.buffers) buffer.end();
    return this.held.splice(0);
  }

  private holdErrors(write: Write = () => undefined) {
    return createLineBuffer((lines) => {
      const at = this.isHeldBack ? 0 : findFailedLine(lines);
      if (at > 0) write(lines.slice(0, at));
      if (at === lines.length) return;
      this.isHeldBack = true;
      this.held.push({ write, text: lines.slice(at) });
    });
  }
}

/** Where the first line begins that says that something failed; the end where none does. */
function findFailedLine(lines: string): number {
  const at = lines.replaceAll(COLOUR, (colour) => " ".repeat(colour.length)).search(FAILURE);
  return at === -1 ? lines.length : lines.lastIndexOf("\n", at) + 1;
}

function omitMarks(text: string): string {
  return REPAIRED.reduce((shown, [mark, words]) => shown.replace(mark, words), text.replaceAll(COLOUR, ""));
}

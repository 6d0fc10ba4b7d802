import { toPrintable, toPrintableOutput } from "../spec/printed-text";
import { addAllOwnWords } from "../provider/client/redaction/own-sentences";
import { Redactor } from "../provider/client/redaction/redactor";
import { listEnvSecrets } from "./job-secrets";
import { createLineBuffer } from "./line-buffer";

export interface OutputStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The streams of a command, and those for what the engine and its programs print. */
export interface PrintedStreams extends OutputStreams {
  readonly engine: OutputStreams;
  /** A command of the forge's runner, on a line of its own, as it is. */
  readonly command: (line: string) => void;
}

addAllOwnWords();

let last: { readonly key: string; readonly redactor: Redactor } | undefined;

/** A text without the secrets of the job's environment and the passwords of addresses, wherever they stand. */
export function redactSecrets(text: string): string {
  const secrets = listEnvSecrets(process.env);
  const key = secrets.join("\0");
  if (last?.key !== key) last = { key, redactor: new Redactor().with(secrets) };
  return last.redactor.redact(text);
}

/** Prints what is written, redacted and with nothing in it that is acted on; `end` writes what was held back. */
export function redactStreams({ out, err }: OutputStreams): PrintedStreams & { readonly end: () => void } {
  const print = (text: string): string => toPrintable(redactSecrets(text));
  const printOutput = (text: string): string => toPrintableOutput(redactSecrets(text));
  const own = {
    out: createLineBuffer((text) => out(print(text))),
    err: createLineBuffer((text) => err(print(text))),
  };
  const engine = {
    out: createLineBuffer((text) => out(printOutput(text))),
    err: createLineBuffer((text) => err(printOutput(text))),
  };
  return {
    out: own.out.write,
    err: own.err.write,
    engine: { out: engine.out.write, err: engine.err.write },
    command: out,
    end: () => {
      for (const lines of [engine.out, engine.err, own.out, own.err]) lines.end();
    },
  };
}

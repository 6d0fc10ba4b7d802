import { Redactor } from "../provider/client/redaction/redactor";

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** A text without the passwords of URLs, as of the state backend's, and without that one wherever it stands. */
export function redacted(text: string): string {
  const redactor = new Redactor();
  const backend = process.env["PULUMI_BACKEND_URL"] ?? "";
  if (URL.canParse(backend)) redactor.add(new URL(backend).password);
  return redactor.redact(text);
}

/** Redacts what is written; `end` writes what was held back. */
export function redactedStreams({ out, err }: Streams): Streams & { readonly end: () => void } {
  const shown = wholeLines((text) => out(redacted(text)));
  const said = wholeLines((text) => err(redacted(text)));
  return {
    out: shown.write,
    err: said.write,
    end: () => {
      shown.end();
      said.end();
    },
  };
}

/** The engine writes in pieces, whose last line may go on in the next one: it is held back until it ends. */
function wholeLines(write: (text: string) => void) {
  let held = "";
  return {
    write: (text: string): void => {
      held += text;
      const end = held.lastIndexOf("\n") + 1;
      if (end > 0) write(held.slice(0, end));
      held = held.slice(end);
    },
    end: (): void => {
      if (held !== "") write(held);
      held = "";
    },
  };
}

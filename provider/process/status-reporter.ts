/** A line to the user as an engine takes it; an empty URN is the row of the stack. */
export interface StatusLine {
  readonly urn: string;
  readonly severity: "info" | "warning";
  readonly message: string;
  /** Shows what is going on, until the row shows something else. */
  readonly isEphemeral: boolean;
}

type LineWriter = (message: string, subject?: string) => void;

/** What one step reports to the user; `subject` says what a line is about where its row does not. */
export interface StepReporter {
  readonly progress: LineWriter;
  readonly info: LineWriter;
  readonly warn: LineWriter;
  /** Ends the step's progress: its row shows what another step is at, or nothing. Resolves when the engine has it. */
  end(): Promise<void>;
}

interface StatusRow {
  /** The steps under way with what each was at last. */
  readonly steps: Map<object, string>;
  /** The step whose progress the row shows. */
  shown: object | undefined;
}

/** The lines of a process, as they are printed and in order. `send` resolves when the engine has the line. */
export class StatusReporter {
  readonly #send: (line: StatusLine) => Promise<void>;
  readonly #print: (text: string) => string;
  readonly #rows = new Map<string, StatusRow>();
  #sent = Promise.resolve();

  constructor(send: (line: StatusLine) => Promise<void>, print: (text: string) => string) {
    this.#send = send;
    this.#print = print;
  }

  /** A step whose lines stand on the row of `urn`. */
  open(urn = ""): StepReporter {
    const step = {};
    const text = (message: string, subject?: string): string =>
      this.#print(urn === "" && subject !== undefined ? `${subject}: ${message}` : message);
    const createLastingWriter =
      (severity: StatusLine["severity"]): LineWriter =>
      (message, subject) => {
        const row = this.#rows.get(urn);
        if (row !== undefined) row.shown = undefined;
        this.#put({ urn, severity, message: text(message, subject), isEphemeral: false });
      };
    return {
      progress: (message, subject) => this.#show(urn, step, text(message, subject)),
      info: createLastingWriter("info"),
      warn: createLastingWriter("warning"),
      end: async () => {
        this.#clear(urn, step);
        await this.#sent;
      },
    };
  }

  #show(urn: string, step: object, message: string): void {
    const row = this.#rows.get(urn) ?? { steps: new Map<object, string>(), shown: undefined };
    this.#rows.set(urn, row);
    row.steps.set(step, message);
    row.shown = step;
    this.#put({ urn, severity: "info", message, isEphemeral: true });
  }

  #clear(urn: string, step: object): void {
    const row = this.#rows.get(urn);
    if (row?.steps.delete(step) !== true) return;
    if (row.steps.size === 0) this.#rows.delete(urn);
    if (row.shown !== step) return;
    const [other, message] = [...row.steps].at(-1) ?? [];
    if (other !== undefined && message !== undefined) this.#show(urn, other, message);
    // The display keeps the last line of a row that is done; of an empty one nothing is seen.
    else this.#put({ urn, severity: "info", message: "", isEphemeral: true });
  }

  /** One after the other: the engine takes what is sent side by side in any order. */
  #put(line: StatusLine): void {
    // A line that gets lost is no reason to fail what it reports.
    this.#sent = this.#sent.then(() => this.#send(line)).catch(() => undefined);
  }
}

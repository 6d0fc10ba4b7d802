/** Shorter forms are not taken. */
const START = 4;

/** Forms of secrets, found in a text in time that grows with the text and with the length of a form, not with their number. */
export class FormIndex {
  readonly #forms = new Set<string>();
  /** How long the forms are that begin with these characters. */
  readonly #lengths = new Map<string, Set<number>>();

  add(form: string): void {
    this.#forms.add(form);
    const start = form.slice(0, START);
    this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(form.length));
  }

  has(form: string): boolean {
    return this.#forms.has(form);
  }

  /** Every place where one stands. */
  in(text: string): Range[] {
    const found: Range[] = [];
    for (let from = 0; from + START <= text.length; from += 1) {
      for (const length of this.#lengths.get(text.slice(from, from + START)) ?? []) {
        if (this.has(text.slice(from, from + length))) found.push({ from, to: from + length });
      }
    }
    return found;
  }
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

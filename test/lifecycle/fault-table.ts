/** Counts by kind of fault and resource. */
export class FaultTable {
  private readonly cells = new Map<string, { tried: number; converged: number }>();

  constructor(
    private readonly kinds: readonly string[],
    private readonly types: readonly string[],
  ) {}

  add(kind: string, type: string, hasConverged: boolean): void {
    const { tried, converged } = this.at(kind, type);
    this.cells.set(`${kind} ${type}`, {
      tried: tried + 1,
      converged: converged + (hasConverged ? 1 : 0),
    });
  }

  toString(): string {
    const width = Math.max(...this.kinds.map(({ length }) => length));
    const row = (title: string, texts: readonly string[]): string =>
      [
        title.padEnd(width),
        ...texts.map((text, index) => text.padStart(this.types[index]?.length ?? 0)),
      ].join("  ");
    const rows = this.kinds.map((kind) =>
      row(
        kind,
        this.types.map((type) => this.text(kind, type)),
      ),
    );
    const all = [...this.cells.values()];
    const [converged, tried] = [
      sumOf(all.map((each) => each.converged)),
      sumOf(all.map((each) => each.tried)),
    ];
    return [
      "Faults: cells that converge / cells tried",
      row("", this.types),
      ...rows,
      `${converged} of ${tried} cells converge`,
    ].join("\n");
  }

  private at(kind: string, type: string): { tried: number; converged: number } {
    return this.cells.get(`${kind} ${type}`) ?? { tried: 0, converged: 0 };
  }

  private text(kind: string, type: string): string {
    const { tried, converged } = this.at(kind, type);
    return tried === 0 ? "-" : `${converged}/${tried}`;
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Reads what `go list` and `go build -v` print, and says in one line how far they are. */
export class BuildProgress {
  private readonly startedAtMs: number;
  private downloads = 0;
  private compiled = 0;
  private total: number | undefined;
  private linking = false;

  constructor(
    private readonly program: { name: string; package: string },
    private readonly now: () => number = Date.now,
  ) {
    this.startedAtMs = now();
  }

  startCompiling(total: number): void {
    this.total = total;
  }

  read(line: string): void {
    if (line.startsWith("go: downloading ")) this.downloads += 1;
    else if (this.total !== undefined && !line.includes(" ")) {
      this.compiled += 1;
      this.linking = line === this.program.package;
    }
  }

  describe(): string {
    return `  ${this.program.name}: ${this.stage()}, ${this.elapsed()}`;
  }

  elapsed(): string {
    const seconds = Math.round((this.now() - this.startedAtMs) / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }

  private stage(): string {
    if (this.total === undefined) return `${this.downloads} modules downloaded`;
    if (this.linking) return "linking";
    return `${this.compiled} of ${this.total} packages compiled`;
  }
}

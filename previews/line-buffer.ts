/** The engine writes in pieces, whose last line may go on in the next one: it is held back until it ends. */
export function createLineBuffer(write: (text: string) => void) {
  let held: string[] = [];
  return {
    write: (text: string): void => {
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) {
        write(held.join("") + text.slice(0, end));
        held = [];
      }
      if (end < text.length) held.push(text.slice(end));
    },
    end: (): void => {
      if (held.length > 0) write(held.join(""));
      held = [];
    },
  };
}

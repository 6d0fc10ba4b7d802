/**
 * A tar archive (POSIX.1-2001) of files, the same bytes whatever their order. `comment` says what else belongs to them;
 * programs that unpack the archive pass over it.
 */
export function tarOf(files: ReadonlyMap<string, Uint8Array>, comment: string): Uint8Array<ArrayBuffer> {
  const sorted = [...files].sort(([left], [right]) => (left < right ? -1 : 1));
  const blocks = [
    ...entry("comment", "g", paxRecord("comment", comment)),
    ...sorted.flatMap(([path, content]) => [...longPath(path), ...entry(path, "0", content)]),
    new Uint8Array(2 * BLOCK),
  ];
  return new Uint8Array(Buffer.concat(blocks));
}

const BLOCK = 512;
const NAME_BYTES = 100;

/** A path that does not fit into a header precedes it in a header of its own. */
function longPath(path: string): Uint8Array[] {
  const fits = Buffer.byteLength(path) === path.length && path.length <= NAME_BYTES;
  return fits ? [] : entry("path", "x", paxRecord("path", path));
}

/** One header and its content, each filled up to whole blocks. */
function entry(name: string, type: "0" | "g" | "x", content: Uint8Array): Uint8Array[] {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, NAME_BYTES, "utf8");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${content.byteLength.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write(" ".repeat(8), 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const filling = (BLOCK - (content.byteLength % BLOCK)) % BLOCK;
  return [header, content, new Uint8Array(filling)];
}

/** `<length> <key>=<value>\n`, where the length counts its own digits too. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  let length = bytes + String(bytes).length;
  if (String(length).length + bytes !== length) length = bytes + String(length).length;
  return Buffer.from(`${length}${rest}`);
}

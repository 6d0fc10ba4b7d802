interface NamedBytes {
  readonly name: string;
  readonly content: Uint8Array;
}

/** A multipart body, which knows how it is to be announced: the table takes it for the bytes that it is. */
export class MultipartBytes extends Uint8Array<ArrayBuffer> {
  /** What is cut from it is no multipart body. */
  static get [Symbol.species](): Uint8ArrayConstructor {
    return Uint8Array;
  }

  /** `boundary` must not occur in any part. */
  constructor(
    metadata: object,
    files: readonly NamedBytes[],
    private readonly boundary: string,
  ) {
    super(new Uint8Array(Buffer.concat(encoded(metadata, files, boundary))).buffer);
  }

  get contentType(): string {
    return `multipart/form-data; boundary=${this.boundary}`;
  }
}

function encoded(metadata: object, files: readonly NamedBytes[], boundary: string): Uint8Array[] {
  const text = (value: string): Uint8Array => Buffer.from(value);
  return [
    text(`--${boundary}\r\n${headed('name="metadata"', "application/json")}${JSON.stringify(metadata)}\r\n`),
    ...files.flatMap(({ name, content }) => [
      text(
        `--${boundary}\r\n${headed(`name="file"; filename="${escaped(name)}"`, "application/octet-stream")}`,
      ),
      content,
      text("\r\n"),
    ]),
    text(`--${boundary}--\r\n`),
  ];
}

function headed(disposition: string, contentType: string): string {
  return `Content-Disposition: form-data; ${disposition}\r\nContent-Type: ${contentType}\r\n\r\n`;
}

/** As browsers write a name. */
function escaped(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}

/**
 * The file that a path of the service means. It may be given as the place that the file had where it was bundled, an
 * absolute path or a `file:` URL, which ends with the file's own path.
 */
export function resolveEntrypoint(paths: readonly string[], declared: string): string | undefined {
  const path = decodeFileUrl(declared);
  const exact = paths.find((each) => toPlainPath(each) === toPlainPath(path));
  if (exact !== undefined || !path.startsWith("/")) return exact;
  return paths
    .filter((each) => path.endsWith(`/${toPlainPath(each)}`))
    .sort((left, right) => right.length - left.length)[0];
}

/** The path that the service gives as a `file:` URL, or as it was sent, without what stands before its first name. */
export function parseReportedPath(told: string): string {
  return toPlainPath(decodeFileUrl(told));
}

function decodeFileUrl(declared: string): string {
  if (!/^file:/i.test(declared)) return declared;
  try {
    return decodeURIComponent(new URL(declared).pathname);
  } catch {
    return declared.replace(/^file:\/*/i, "/");
  }
}

function toPlainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+/, "");
}

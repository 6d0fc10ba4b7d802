import { OLDEST_NODE } from "./version.generated";

// An old one would fail later, in the middle of a step, at something that it does not know.
requireNode();

function requireNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `This program needs Node.js ${OLDEST_NODE} or later; it runs with ${process.version}. ` +
      "Install a later version, put it first on PATH, where Pulumi looks for `node` too, and run again.",
  );
}

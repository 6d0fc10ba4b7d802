import { isModule } from "./source-imports";

/** What holds secrets as a rule; the dot files among them are left out as all dot files are. */
const SECRET_FILE =
  /^(?:_netrc|id_(?:rsa|dsa|ecdsa|ed25519).*|credentials(?:\.json)?|.*\.(?:env|pem|key|p12|pfx|jks|keystore|kdbx))$/i;

/** The rule in words, for messages and references. */
export const LEFT_OUT =
  "dot files and known secret files (`id_rsa*` and the like, `*.env`, `*.pem`, `*.key`, `*.p12`, `*.pfx`, `*.jks`, `*.keystore`, `*.kdbx`, `credentials`, `credentials.json`, `_netrc`)";

/** Whether a file of this path, with `/` and maybe `../` first, is sent only where it is named. */
export function isLeftOutPath(path: string): boolean {
  const parts = path.split("/").filter((part) => part !== "..");
  const name = parts.at(-1) ?? "";
  return parts.some(isHidden) || (SECRET_FILE.test(name) && !isModule(name));
}

export function isHidden(name: string): boolean {
  return name.startsWith(".");
}

import { createHash, createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { IssuedToken, KeptRefreshToken } from "../client";
import type { ConfiguredConnection } from "./config";
import { tryOrUndefined } from "../../spec/try-or-undefined";
import { openDurableFiles } from "../ledger/durable-files";
import { runLocked } from "./file-lock";

const content = z.object({
  refreshToken: z.string().min(1),
  /** The access token that came with it, encrypted. */
  issued: z.string(),
});

const issuedToken = z.object({ accessToken: z.string().min(1), renewAtMs: z.number() });

/**
 * Keeps the newest refresh token of an OAuth authorization in the user's state folder, readable by the user alone: a
 * service that lets each refresh token work once would otherwise refuse the next command. The access token goes along,
 * for which others need no exchange; it works without the client secret, which it is therefore encrypted with. The file is
 * named by a hash of what is configured, so that another authorization begins anew.
 */
export function openRefreshTokenFile(
  folder: string | undefined,
  { baseUrl, credentials }: ConfiguredConnection,
  warn: (message: string) => void,
): KeptRefreshToken | undefined {
  if (credentials.kind !== "oauth" || folder === undefined) return undefined;
  const { clientId, clientSecret, refreshToken: configuredToken } = credentials;
  const configured = [baseUrl, clientId, configuredToken].join("\n");
  const directory = join(folder, "oauth");
  const name = `${createHash("sha256").update(configured).digest("hex").slice(0, 32)}.json`;
  const files = openDurableFiles(directory, content);
  const encryption = createEncryption([clientSecret, configuredToken]);
  const readKept = (): z.infer<typeof content> | undefined => files.read(name);

  return {
    read: () => readKept()?.refreshToken,
    issued: () => {
      const text = encryption.decrypt(readKept()?.issued ?? "");
      return text === undefined ? undefined : tryOrUndefined(() => issuedToken.parse(JSON.parse(text)));
    },
    write: (refreshToken, issued: IssuedToken) => {
      const isNew = refreshToken !== (readKept()?.refreshToken ?? configuredToken);
      try {
        files.write(name, { refreshToken, issued: encryption.encrypt(JSON.stringify(issued)) });
      } catch (error) {
        if (!isNew) return;
        warn(
          `The service issued a new refresh token, which cannot be saved in ${directory} (${String(error)}): ` +
            "if the configured one works only once, the next command needs a new authorization.",
        );
      }
    },
    alone: (exchange) => {
      tryOrUndefined(() => files.makeFolder());
      return runLocked(join(directory, name), exchange);
    },
  };
}

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Texts that only who knows the same secrets can read. */
interface Encryption {
  encrypt(text: string): string;
  /** Undefined for what was not encrypted with these secrets. */
  decrypt(encrypted: string): string | undefined;
}

/** The secrets must be as long as keys are: nothing slows down who guesses them. */
function createEncryption(secrets: readonly string[]): Encryption {
  const key = Buffer.from(hkdfSync("sha256", JSON.stringify(secrets), "", "pulumi-management", 32));
  return {
    encrypt: (text) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), content]).toString("base64");
    },
    decrypt: (encrypted) => {
      const bytes = Buffer.from(encrypted, "base64");
      try {
        const iv = bytes.subarray(0, IV_BYTES);
        const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([content, decipher.final()]).toString("utf8");
      } catch {
        return undefined;
      }
    },
  };
}

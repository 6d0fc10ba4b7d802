import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { IssuedToken, KeptRefreshToken } from "../client";
import type { Connection } from "../config";
import { tryOrUndefined } from "../lifecycle/try-or-undefined";
import { durableFiles } from "../lifecycle/durable-files";
import { whileLocked } from "./file-lock";
import { sealOf } from "./sealed-text";

const content = z.object({
  refreshToken: z.string().min(1),
  /** The access token that came with it, sealed. */
  issued: z.string(),
});

const issuedToken = z.object({ accessToken: z.string().min(1), renewAtMs: z.number() });

/**
 * Keeps the newest refresh token of an OAuth authorization in the user's state folder, readable by the user alone: a
 * service that lets each refresh token work once would otherwise refuse the next command. The access token goes along,
 * for which others need no exchange; it works without the client secret, which it is therefore sealed with. The file is
 * named by a hash of what is configured, so that another authorization begins anew.
 */
export function refreshTokenFile(
  folder: string | undefined,
  { baseUrl, credentials }: Connection,
  warn: (message: string) => void,
): KeptRefreshToken | undefined {
  if (credentials.kind !== "oauth" || folder === undefined) return undefined;
  const { clientId, clientSecret, refreshToken: configuredToken } = credentials;
  const configured = [baseUrl, clientId, configuredToken].join("\n");
  const directory = join(folder, "oauth");
  const name = `${createHash("sha256").update(configured).digest("hex").slice(0, 32)}.json`;
  const files = durableFiles(directory, content);
  const seal = sealOf([clientSecret, configuredToken]);
  const found = (): z.infer<typeof content> | undefined => files.read(name);

  return {
    read: () => found()?.refreshToken,
    issued: () => {
      const text = seal.open(found()?.issued ?? "");
      return text === undefined ? undefined : tryOrUndefined(() => issuedToken.parse(JSON.parse(text)));
    },
    write: (refreshToken, issued: IssuedToken) => {
      const isNew = refreshToken !== (found()?.refreshToken ?? configuredToken);
      try {
        files.write(name, { refreshToken, issued: seal.close(JSON.stringify(issued)) });
      } catch (error) {
        if (!isNew) return;
        warn(
          `The service issued a new refresh token, which cannot be kept in ${directory} (${String(error)}): ` +
            "if the configured one works only once, the next command needs a new authorization.",
        );
      }
    },
    alone: (exchange) => {
      tryOrUndefined(() => files.makeFolder());
      return whileLocked(join(directory, name), exchange);
    },
  };
}

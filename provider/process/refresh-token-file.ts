import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Connection } from "../config";
import type { KeptRefreshToken } from "../client";

const content = z.object({ refreshToken: z.string().min(1) });

/**
 * Keeps the newest refresh token of an OAuth authorization in the user's state folder, readable by the user alone: a
 * service that lets each refresh token work once would otherwise refuse the next command. Named by a hash of what is
 * configured, so that another authorization begins anew.
 */
export function refreshTokenFile(
  folder: string | undefined,
  { baseUrl, credentials }: Connection,
  warn: (message: string) => void,
): KeptRefreshToken | undefined {
  if (credentials.kind !== "oauth" || folder === undefined) return undefined;
  const configured = [baseUrl, credentials.clientId, credentials.refreshToken].join("\n");
  const directory = join(folder, "oauth");
  const file = join(directory, `${createHash("sha256").update(configured).digest("hex").slice(0, 32)}.json`);
  return {
    read: () => {
      try {
        return content.safeParse(JSON.parse(readFileSync(file, "utf8"))).data?.refreshToken;
      } catch {
        return undefined;
      }
    },
    write: (refreshToken) => {
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        const draft = `${file}.${randomUUID()}`;
        writeFileSync(draft, JSON.stringify({ refreshToken }), { mode: 0o600 });
        renameSync(draft, file);
      } catch (error) {
        warn(
          `The service issued a new refresh token, which cannot be kept in ${directory} (${String(error)}): ` +
            "if the configured one works only once, the next command needs a new authorization.",
        );
      }
    },
  };
}

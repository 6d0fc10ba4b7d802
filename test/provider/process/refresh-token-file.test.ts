import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../../../provider/config";
import { refreshTokenFile } from "../../../provider/process/refresh-token-file";

const connection = (refreshToken: string): Connection => ({
  baseUrl: "https://api.example",
  credentials: { kind: "oauth", clientId: "id", clientSecret: "secret", refreshToken },
});

describe("the file of the newest refresh token", () => {
  let folder: string;
  const warnings: string[] = [];
  const file = (refreshToken = "configured") =>
    refreshTokenFile(folder, connection(refreshToken), (message) => warnings.push(message));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "refresh-token-"));
    warnings.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is read by the next process with the same configuration, and by no other", () => {
    expect(file()?.read()).toBeUndefined();
    file()?.write("rotated");
    expect(file()?.read()).toBe("rotated");
    expect(file("authorized-anew")?.read()).toBeUndefined();
  });

  it("can be read by its user alone, and its name tells nothing", () => {
    file()?.write("rotated");
    const [name = "", ...others] = readdirSync(join(folder, "oauth"));
    expect(others).toEqual([]);
    expect(name).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(statSync(join(folder, "oauth", name)).mode & 0o077).toBe(0);
  });

  it("is not there for a personal access token", () => {
    const token: Connection = {
      baseUrl: "https://api.example",
      credentials: { kind: "token", accessToken: () => "t" },
    };
    expect(refreshTokenFile(folder, token, () => undefined)).toBeUndefined();
  });

  it("warns where it cannot be written, without the token", () => {
    writeFileSync(join(folder, "oauth"), "in the way");
    file()?.write("rotated");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain("rotated");
    expect(warnings[0]).toContain("new authorization");
  });
});

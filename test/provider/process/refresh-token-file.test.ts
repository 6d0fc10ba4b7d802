import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ConfiguredConnection } from "../../../provider/process/config";
import { openRefreshTokenFile } from "../../../provider/process/refresh-token-file";

const ISSUED = { accessToken: "issued-access-token", renewAtMs: 1_000 };

const connection = (refreshToken: string, clientSecret = "secret"): ConfiguredConnection => ({
  baseUrl: "https://api.example",
  credentials: { kind: "oauth", clientId: "id", clientSecret, refreshToken },
});

describe("the file of the newest refresh token", () => {
  let folder: string;
  const warnings: string[] = [];
  const file = (refreshToken = "configured", clientSecret?: string) =>
    openRefreshTokenFile(folder, connection(refreshToken, clientSecret), (message) => warnings.push(message));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "refresh-token-"));
    warnings.length = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is read by the next process with the same configuration, and by no other", () => {
    expect(file()?.read()).toBeUndefined();
    file()?.write("rotated", ISSUED);
    expect(file()?.read()).toBe("rotated");
    expect(file("authorized-anew")?.read()).toBeUndefined();
  });

  it("can be read by its user alone, and its name tells nothing", () => {
    file()?.write("rotated", ISSUED);
    const [name = "", ...others] = readdirSync(join(folder, "oauth"));
    expect(others).toEqual([]);
    expect(name).toMatch(/^[0-9a-f]{32}\.json$/);
    expect(statSync(join(folder, "oauth", name)).mode & 0o077).toBe(0);
  });

  it("holds the access token for whoever knows the client secret, and in clear for nobody", () => {
    file()?.write("rotated", ISSUED);
    expect(file()?.issued?.()).toEqual(ISSUED);
    expect(file("configured", "another-secret")?.issued?.()).toBeUndefined();
    const [name = ""] = readdirSync(join(folder, "oauth"));
    const text = readFileSync(join(folder, "oauth", name), "utf8");
    expect(text).not.toContain(ISSUED.accessToken);
    expect(text).not.toContain(Buffer.from(ISSUED.accessToken).toString("base64").slice(0, 12));
  });

  it.each(["", "{}", "[]", '{"refreshToken":"t","issued":"AAAA"}', '{"refreshToken":"t","issued":7}'])(
    "gives no access token when it holds %j",
    (text) => {
      file()?.write("rotated", ISSUED);
      const [name = ""] = readdirSync(join(folder, "oauth"));
      writeFileSync(join(folder, "oauth", name), text);
      expect(file()?.issued?.()).toBeUndefined();
    },
  );

  it("lets one exchange run at a time, and leaves no lock behind", async () => {
    const order: string[] = [];
    const exchange = (name: string) => async () => {
      order.push(`${name} begins`);
      await nextTurn();
      order.push(`${name} ends`);
    };
    await Promise.all([file()?.alone?.(exchange("one")), file()?.alone?.(exchange("two"))]);
    expect(order.map((line) => line.split(" ")[1])).toEqual(["begins", "ends", "begins", "ends"]);
    expect(readdirSync(join(folder, "oauth"))).toEqual([]);
  });

  it("is not there for a personal access token", () => {
    const token: ConfiguredConnection = {
      baseUrl: "https://api.example",
      credentials: { kind: "token", accessToken: () => "t" },
    };
    expect(openRefreshTokenFile(folder, token, () => undefined)).toBeUndefined();
  });

  it("warns where it cannot be written, without the token", () => {
    writeFileSync(join(folder, "oauth"), "in the way");
    file()?.write("rotated", ISSUED);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain("rotated");
    expect(warnings[0]).toContain("new authorization");
  });

  it("does not warn where it cannot be written and nothing is lost by it", async () => {
    writeFileSync(join(folder, "oauth"), "in the way");
    file()?.write("configured", ISSUED);
    expect(await file()?.alone?.(() => Promise.resolve("exchanged"))).toBe("exchanged");
    expect(warnings).toEqual([]);
  });
});

import { requireExitZero, runTool } from "../../import/pulumi";

const TOKEN = "mgt_0123456789abcdefghijklmnopqrstuvwxyz";
const PASSWORD = "hunter2-of-the-backend";

it.each([
  ["a token", TOKEN],
  ["the password of the state backend", `postgres://states:${PASSWORD}@127.0.0.1/states`],
])("%s that the engine prints is removed before what it printed is cut", async (_what, secret) => {
  const env = { ...process.env, MANAGEMENT_ACCESS_TOKEN: TOKEN, SECRET: secret };
  for (const kept of [3_990, 3_975, 3_955]) {
    const script = `printf '%s ' "$SECRET"; head -c ${kept - 1} /dev/zero | tr '\\0' x; exit 1`;
    const command = runTool("/bin/sh", ["-c", script], { cwd: "/", env });
    const message = await requireExitZero(command, "pulumi import").catch(String);
    expect(message).toContain("pulumi import failed: ");
    for (const part of [TOKEN.slice(-8), PASSWORD.slice(-8)]) expect(message).not.toContain(part);
  }
});

import { MovableClock, startEmulator } from "../../../emulator";
import { CommandLineError, describeStart, readCommandLine } from "../../../emulator/command-line";
import { textLike, textWith } from "./tiny-service";

describe("the command line", () => {
  it("starts with defaults when nothing is said", () => {
    expect(readCommandLine([])).toEqual({ kind: "start", options: { seed: {} } });
  });

  it("takes port, host, pace, organizations and tokens", () => {
    const args = [
      "--port",
      "0",
      "--host",
      "127.0.0.1",
      "--pace=0.01",
      "--organization",
      "acme",
      "--organization=b-1",
    ];
    expect(readCommandLine([...args, "--token", "t1"])).toEqual({
      kind: "start",
      options: {
        port: 0,
        host: "127.0.0.1",
        pace: 0.01,
        seed: {
          organizations: [
            { slug: "acme", name: "Acme" },
            { slug: "b-1", name: "B-1" },
          ],
          tokens: [{ token: "t1" }],
        },
      },
    });
    expect(readCommandLine(["--limits", "operation"])).toEqual({
      kind: "start",
      options: { limits: "operation", seed: {} },
    });
    expect(readCommandLine(["--newer"])).toEqual({ kind: "start", options: { newer: true, seed: {} } });
    expect(readCommandLine(["--data", "./kept"])).toEqual({
      kind: "start",
      options: { dataFolder: "./kept", seed: {} },
    });
  });

  it("prints help and version", () => {
    expect(readCommandLine(["--help"])).toEqual({
      kind: "print",
      text: textWith("--organization"),
    });
    expect(readCommandLine(["--version"])).toEqual({
      kind: "print",
      text: textLike(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [["--colour"], "--colour"],
    [["--port", "many"], "--port takes a number"],
    [["--port", "70000"], "--port takes a whole number from 0 to 65535"],
    [["--port"], "--port"],
    [["--pace", "-1"], "--pace"],
    [["--organization", "a b"], "--organization takes letters"],
    [["--token", ""], "--token takes a text"],
    [["--data="], "--data takes a folder"],
    [["serve"], "serve"],
  ])("refuses %j with one line that names the flag", (args, said) => {
    const read = (): unknown => readCommandLine(args);
    expect(read).toThrow(CommandLineError);
    expect(read).toThrow(said);
    expect(read).not.toThrow("\n");
  });

  it("tells the URL, the token and the organization of what it started", async () => {
    const clock = new MovableClock();
    const emulator = await startEmulator({ clock, seed: { tokens: [{ token: "let-me-in" }] } });
    const text = describeStart(emulator);
    await emulator.close();
    for (const part of [emulator.url, "let-me-in", "acme", "/_control"]) expect(text).toContain(part);
  });
});

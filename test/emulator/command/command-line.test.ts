import { MovableClock, startEmulator } from "../../../emulator";
import { describeStart, readCommandLine } from "../../../emulator/command-line";
import { EmulatorCommandError } from "../../../emulator/parse-command";
import { textLike, textWith } from "../service/server/tiny-service";

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
    const former = { kind: "start", options: { service: "2026-06", seed: {} } };
    expect(readCommandLine(["--service", "2026-06"])).toEqual(former);
    expect(() => readCommandLine(["--service", "2025-01"])).toThrow("Allowed choices are current, 2026-06");
    const micro = { kind: "start", options: { microIsAddon: true, seed: {} } };
    expect(readCommandLine(["--micro-addon"])).toEqual(micro);
    expect(readCommandLine(["--data", "./kept"])).toEqual({
      kind: "start",
      options: { dataFolder: "./kept", seed: {} },
    });
    const postgresPort = (...args: string[]): unknown => {
      const command = readCommandLine(args);
      return command.kind === "start" && command.options.postgresPort;
    };
    expect(postgresPort("--postgres-port")).toBe(5432);
    expect(postgresPort("--postgres-port", "--newer")).toBe(5432);
    expect(postgresPort("--postgres-port", "6000")).toBe(6000);
    expect(readCommandLine(["--seed", "seed.yaml"])).toEqual({
      kind: "start",
      options: { seedFile: "seed.yaml", seed: {} },
    });
    expect(readCommandLine(["--names", "names.json"])).toEqual({
      kind: "start",
      options: { names: "names.json", seed: {} },
    });
  });

  it("takes a program to run after the options of exec, with the program's own options", () => {
    const options = { pace: 0, seed: {} };
    expect(readCommandLine(["exec", "--pace", "0", "--", "npm", "test", "--", "--pace", "1"])).toEqual({
      kind: "exec",
      options,
      program: "npm",
      args: ["test", "--", "--pace", "1"],
    });
    expect(readCommandLine(["exec", "--pace=0", "pulumi", "up", "--yes"])).toEqual({
      kind: "exec",
      options,
      program: "pulumi",
      args: ["up", "--yes"],
    });
    expect(readCommandLine(["exec", "--help"])).toEqual({
      kind: "print",
      text: textWith("exec [options] --"),
    });
  });

  it("takes one plan for all organizations, or one for each", () => {
    const organizations = (...args: string[]): unknown => {
      const command = readCommandLine(args);
      return command.kind === "start" && command.options.seed?.organizations;
    };
    const [acme, globex] = [
      { slug: "acme", name: "Acme" },
      { slug: "globex", name: "Globex" },
    ];
    expect(organizations("--plan", "free")).toEqual([{ ...acme, plan: "free" }]);
    const two = ["--organization", "acme", "--organization", "globex"];
    expect(organizations(...two, "--plan", "team")).toEqual([
      { ...acme, plan: "team" },
      { ...globex, plan: "team" },
    ]);
    expect(organizations(...two, "--plan=pro", "--plan=free")).toEqual([
      { ...acme, plan: "pro" },
      { ...globex, plan: "free" },
    ]);
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
    [["--organisation", "acme"], "(Did you mean --organization?)"],
    [["--port", "many"], "--port takes a whole number from 0 to 65535"],
    [["--port", "70000"], "--port takes a whole number from 0 to 65535"],
    [["--port"], "--port"],
    [["--postgres-port=many"], "--postgres-port takes a whole number from 0 to 65535"],
    [["--data", "--newer"], "--data has no value"],
    [["--data", "--help"], "--data has no value"],
    [["--pace", "-1"], "--pace"],
    [["--organization", "a b"], "--organization takes letters"],
    [["--plan", "gold"], '--plan takes one of free, pro, team, enterprise, platform: got "gold"'],
    [["--plan", "pro", "--plan", "free"], "one for each of 1: got 2"],
    [["--token", ""], "--token takes a text"],
    [["--limits", "minute"], "Allowed choices are scope, operation"],
    [["--data="], "--data takes a folder"],
    [["--names="], "--names takes a file"],
    [["serve"], "serve"],
    [["exec"], "exec needs a program to run"],
    [["exec", "--pace", "0", "--"], "exec needs a program to run"],
    [["exec", "--colour", "--", "npm"], "--colour"],
  ])("refuses %j with one line that names the flag", (args, said) => {
    const read = (): unknown => readCommandLine(args);
    expect(read).toThrow(EmulatorCommandError);
    expect(read).toThrow(said);
    expect(read).not.toThrow("\n");
  });

  it.each([
    [["--token", "pat secret"], "--token takes a text without spaces"],
    [["--tokens=pat'secret"], "unknown option '--tokens'; see management-emulator --help"],
  ])("refuses %j without a word of the token", (args, said) => {
    expect(() => readCommandLine(args)).toThrow(new EmulatorCommandError(said));
  });

  // service, Compute size: who pays and who does not are treated differently.
  it("tells the URL, the token and the organizations of what it started, one that pays and one that does not", async () => {
    const clock = new MovableClock();
    const emulator = await startEmulator({ clock, seed: { tokens: [{ token: "let-me-in" }] } });
    const text = describeStart(emulator);
    await emulator.close();
    for (const part of [emulator.url, "let-me-in", "acme (pro), hobby (free)", "/_control"])
      expect(text).toContain(part);
  });
});

describe("an access token that the environment gives, as all users of a machine can read a command line", () => {
  const NAME = "MANAGEMENT_EMULATOR_TOKEN";
  const tokensOf = (...args: string[]): unknown => {
    const command = readCommandLine(args);
    return command.kind === "start" ? command.options.seed?.tokens : undefined;
  };
  afterEach(() => void Reflect.deleteProperty(process.env, NAME));

  it("counts as that of --token does", () => {
    process.env[NAME] = "from-the-environment";
    expect(tokensOf()).toEqual([{ token: "from-the-environment" }]);
  });

  it("is refused where it has a space in it", () => {
    process.env[NAME] = "two words";
    expect(() => tokensOf()).toThrow("--token takes a text without spaces");
  });
});

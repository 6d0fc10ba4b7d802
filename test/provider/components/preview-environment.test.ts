import * as pulumi from "@pulumi/pulumi";
import { checkedArguments } from "../../../provider/components/check-arguments";
import { requireOwnBranch } from "../../../provider/components/preview-environment/own-branch";
import { previewEnvironment } from "../../../provider/components/preview-environment/preview-environment";
import { apiUrlOf, summaryOf } from "../../../provider/components/preview-environment/summary";

const PARENT = "pppppppppppppppppppp";
const REF = "bbbbbbbbbbbbbbbbbbbb";
const ARGS = { parentProjectRef: PARENT, pullRequest: 7, gitBranch: "feature/search" };

const checked = (more: object) => checkedArguments(previewEnvironment, "preview", { ...ARGS, ...more });

describe("the arguments", () => {
  it.each([
    [{ pullRequest: 0 }, "- pullRequest: got 0; at least 1 needed"],
    [{ pullRequest: "7" }, "- pullRequest:"],
    [{ gitBranch: undefined }, "- gitBranch: required, but missing"],
    [{ parentProjectRef: undefined }, "- parentProjectRef: required, but missing"],
    [{ parentProjectRef: "production" }, "- parentProjectRef:"],
    [{ namePrefix: "pr-1" }, "not ending with a digit, as `pr-`"],
    [{ ttlHours: 8_761 }, "- ttlHours:"],
    [{ gitbranch: "x" }, "- gitbranch: "],
    [{ auth: pulumi.output({}) }, "- auth: its properties must be known when the program runs"],
  ])("are refused at once where they are wrong: %j", (more, why) => {
    expect(() => checked(more)).toThrow("The PreviewEnvironment preview cannot be made:");
    expect(() => checked(more)).toThrow(why);
  });

  it("are refused all at once", () => {
    expect(() => checked({ pullRequest: 0, gitBranch: undefined })).toThrow(/gitBranch[^]*pullRequest/);
  });

  it.each([
    {},
    { namePrefix: "preview/" },
    { pullRequest: pulumi.output(7) },
    { auth: { siteUrl: pulumi.output("x") } },
  ])("are taken as they are where nothing is wrong: %j", (more) => {
    expect(Object.keys(checked(more))).toEqual(Object.keys({ ...ARGS, ...more }));
  });
});

describe("a branch of its own", () => {
  const own = { ref: REF, parentProjectRef: PARENT, isDefault: false, persistent: false };

  it("is one of that parent, neither default nor persistent", () => {
    expect(requireOwnBranch("pr-7", PARENT, own)).toBe(REF);
  });

  it.each([
    [{ ref: undefined }, "did not tell the branch's reference"],
    [{ ref: "" }, "did not tell the branch's reference"],
    [{ ref: PARENT }, "the project's own"],
    [{ parentProjectRef: undefined }, "does not name"],
    [{ isDefault: undefined }, "does not tell"],
    [{ persistent: undefined }, "does not tell"],
  ])("is told by nothing less: %j", (told, why) => {
    expect(() => requireOwnBranch("pr-7", PARENT, { ...own, ...told })).toThrow(why);
  });
});

it("a branch that is not its own is told without what the program made a secret", () => {
  const redact = (text: string): string => text.replaceAll(PARENT, "[secret]");
  const made = { ref: REF, parentProjectRef: PARENT, isDefault: true, persistent: false };
  expect(() => requireOwnBranch("pr-7", PARENT, made, redact)).toThrow("pr-7 of the project [secret] was");
});

describe("the summary", () => {
  const shown = {
    ...{ pullRequest: 7, gitBranch: "feature/search", branchName: "pr-7", ref: REF },
    ...{ apiUrl: undefined, latestMigration: undefined, functions: undefined, ttlHours: undefined },
  };

  it("is a table without what is not there", () => {
    expect(summaryOf(shown)).toBe(
      [
        "### Preview of pull request 7",
        "",
        "| | |",
        "| --- | --- |",
        `| Branch | \`pr-7\` (\`${REF}\`) |`,
        "| Git branch | `feature/search` |",
        "| Lasts | until the pull request is closed |",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["a|b`c", "| Git branch | ``a\\|b`c`` |"],
    ["`x`", "| Git branch | `` `x` `` |"],
    ["a\n| injected | row |", "| Git branch | `a \\| injected \\| row \\|` |"],
  ])("shows a Git branch called %j as it is", (gitBranch, row) => {
    expect(summaryOf({ ...shown, gitBranch })).toContain(`${row}\n`);
  });
});

it.each([
  [`db.${REF}.service.example`, `https://${REF}.service.example`],
  [`db.${PARENT}.service.example`, undefined],
  ["10.0.0.1", undefined],
  [undefined, undefined],
])("the URL of the API is told by the database's host name %s alone", (host, url) => {
  expect(apiUrlOf(REF, host)).toBe(url);
});

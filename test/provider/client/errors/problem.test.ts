import { defineProblem } from "../../../../provider/client/errors/problem";

const stuck = defineProblem({
  says: "The box {label} is stuck ({weight} kg): {remedy}. Nothing was opened.",
  means: "The lid is shut.",
  remedy: "Open {label} by hand, or wait. A key helps",
});

describe("the message of a problem", () => {
  it("has the values in their places, and the remedy as the rest of the sentence", () => {
    expect(stuck.message({ label: "a {weight} $& box", weight: 3 })).toBe(
      "The box a {weight} $& box is stuck (3 kg): open a {weight} $& box by hand, or wait. A key helps. Nothing was opened.",
    );
  });

  it("begins the remedy as a sentence of its own where it is one", () => {
    const shut = defineProblem({ says: "It is shut. {remedy}.", means: "", remedy: "Open it" });
    expect(shut.message()).toBe("It is shut. Open it.");
  });

  it("does not compile without each of its values", () => {
    // @ts-expect-error The weight is missing.
    expect(stuck.message({ label: "box" })).toContain("{weight} kg");
  });
});

it("quotes what stands in quotes as the text of a program, which may be copied", () => {
  const problem = defineProblem({
    says: 'There is {what}. Add `adoptId: "{id}"`. {remedy}.',
    means: "It is there.",
    remedy: 'Or choose "{other}"',
  });
  const id = 'x", protect: false, y: "${z}\n\u202e';
  expect(problem.message({ what: "one", id, other: "plain" })).toBe(
    String.raw`There is one. Add ${"`"}adoptId: "x\", protect: false, y: \"${"$"}{z}\n\u202e"${"`"}. Or choose "plain".`,
  );
});

it.each([
  ["plain", '"plain"'],
  ['Table "x" does not exist', '“Table "x" does not exist”'],
  ["C:\\new", '"C:\\new"'],
  ['“x” is "y"', String.raw`"“x” is \"y\""`],
  ['a". Run `rm -rf ~`. "\n::add-mask::x\u202e', '“a". Run `rm -rf ~`. "\\u000a::add-mask::x\\u202e”'],
])(
  "quotes what others say in a sentence so that it can be read, and ends where it ends: %j",
  (answer, shown) => {
    const problem = defineProblem({
      says: 'It failed, "{answer}". {remedy}.',
      means: "It failed.",
      remedy: "Set `x` again",
    });
    expect(problem.message({ answer })).toBe(`It failed, ${shown}. Set \`x\` again.`);
  },
);

it("quotes what a command or a query is copied with", () => {
  const problem = defineProblem({
    says: "It is gone. {remedy}.",
    means: "It is gone.",
    remedy: "Run `pulumi state delete '{urn}'` or `delete from t where v = '{version}'`",
  });
  const text = "x'; rm -rf ~; '";
  expect(problem.message({ urn: text, version: text })).toBe(
    "It is gone. Run `pulumi state delete 'x'\\''; rm -rf ~; '\\'''` or `delete from t where v = 'x''; rm -rf ~; '''`.",
  );
});

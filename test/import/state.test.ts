import type { ProgramResource } from "../../import/model";
import { applyDeclared } from "../../import/state";
import { SIGNATURE_KEY } from "../../provider/engine/schema/secrets";

const smtp = { host: "mail.example.com", port: 465 };

/** What the state has of declared inputs that can hold a secret, and hold none. */
function recordedSmtp(hasClasses: boolean): unknown {
  const inputs = { projectRef: "abcdefghijklmnopqrst", smtp };
  const declared: ProgramResource = {
    ...{ type: "AuthConfig", name: "auth", variable: "auth", importId: "abcdefghijklmnopqrst" },
    ...{ inputs, properties: inputs, dependsOn: [] },
  };
  const one = {
    urn: "urn:pulumi:production::shop::management:index:AuthConfig::auth",
    type: "management:index:AuthConfig",
    ...{ id: "abcdefghijklmnopqrst", inputs, outputs: inputs },
  };
  const state = applyDeclared({ version: 3, deployment: { resources: [one] } }, [declared], {
    owner: "",
    hasClasses,
  });
  const recorded = state.deployment.resources?.find(({ urn }) => urn.endsWith("::auth"));
  return recorded?.inputs?.["smtp"];
}

it("has inputs that can hold a secret as the classes pass them on, so that the first change shows nothing else", () => {
  expect(recordedSmtp(true)).toMatchObject({
    [SIGNATURE_KEY]: expect.any(String) as unknown,
    plaintext: JSON.stringify(smtp),
  });
  expect(recordedSmtp(false)).toEqual(smtp);
});

import { checkInputs } from "../../../provider/engine/check";
import { fitInputs } from "../../../provider/engine/fit-inputs";
import type { AnyResource } from "../../../provider/define/resource";
import type { Values } from "../../../provider/define/values";
import { authConfig } from "../../../provider/resources/auth/auth-config/auth-config";
import { ssoProvider } from "../../../provider/resources/auth/sso-provider/sso-provider";
import { networkRestrictions } from "../../../provider/resources/network/network-restrictions/network-restrictions";

const projectRef = "abcdefghijklmnopqrst";

function fitted(resource: AnyResource, wanted: Values, base: Values = { projectRef }, before?: Values) {
  const candidates = Object.entries(wanted).map(([name, value]) => ({ name, forms: [value] }));
  const { inputs, misfits } = fitInputs(resource, base, candidates, before);
  expect(checkInputs(resource, inputs, before ?? inputs).failures).toEqual([]);
  return { inputs, misfits };
}

describe("the inputs that fit together", () => {
  it("take two that each would be refused alone", () => {
    const wanted = { allowedCidrs: [], denyAll: true };
    expect(fitted(networkRestrictions, wanted)).toEqual({ inputs: { projectRef, ...wanted }, misfits: [] });
    const other = { allowedCidrs: [], allowedCidrsV6: ["2001:db8::/32"] };
    expect(fitted(networkRestrictions, other)).toEqual({ inputs: { projectRef, ...other }, misfits: [] });
  });

  it("leave out, of two that exclude each other, the later one", () => {
    const metadataUrl = "https://sso.example.com/metadata";
    const { inputs, misfits } = fitted(
      ssoProvider,
      { metadataUrl, metadataXml: "<EntityDescriptor/>" },
      { projectRef, type: "saml" },
    );
    expect(inputs).toEqual({ projectRef, type: "saml", metadataUrl });
    expect(misfits).toEqual([{ path: "metadataXml", reason: expect.stringContaining("metadata") as string }]);
  });

  it("leave out of a group only what its schema refuses", () => {
    const smtp = {
      host: "mail.example.com",
      port: 2525,
      user: "shop",
      password: "p",
      adminEmail: "a@example.com",
    };
    const { inputs, misfits } = fitted(authConfig, {
      smtp: { ...smtp, maxFrequency: "often" },
      jwtExp: 3600,
    });
    expect(inputs).toEqual({ projectRef, smtp, jwtExp: 3600 });
    expect(misfits).toEqual([{ path: "smtp.maxFrequency", reason: expect.any(String) as string }]);
  });

  it("leave out the provider whose secret is missing, and keep the others", () => {
    const whole = { enabled: true, clientId: "shop", secret: "s" };
    const external = { idp02: { enabled: true, clientId: "shop" }, idp03: whole };
    const { inputs, misfits } = fitted(authConfig, { external }, { projectRef }, { projectRef });
    expect(inputs).toEqual({ projectRef, external: { idp03: whole } });
    expect(misfits).toEqual([
      { path: "external.idp02", reason: expect.stringContaining("external.idp02.secret") as string },
    ]);
  });
});

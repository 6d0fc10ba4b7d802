import { formatKnownSubject, formatSubject } from "../../../provider/engine/step/runtime";
import { createClaim, withId } from "../../../provider/ledger/claim";
import { resourceOf, samples } from "../../kit/samples";

const REF = "r".repeat(20);

it("a line of progress or of a preview names what a project has once in one form, with an id or without one", () => {
  const forms = samples.map((sample) => {
    const resource = resourceOf(sample);
    const values = { projectRef: REF };
    const claim = createClaim(resource, values);
    return {
      type: sample.type,
      parent: claim.parent,
      forms: [
        ...[claim, withId(claim, REF)].map((each) => formatSubject(resource, values, each)),
        formatKnownSubject(withId(claim, REF)),
      ],
    };
  });
  const ofAProject = forms.filter(({ parent }) => parent === REF);
  expect(ofAProject.length).toBeGreaterThan(20);
  expect(
    ofAProject.filter(({ type, forms: said }) => said.some((form) => form !== `${type} of ${REF}`)),
  ).toEqual([]);
});

import { defineProblem } from "../../../client/errors/problem";
import { problems as ofHostname } from "../custom-hostname/problems";

export const problems = {
  needsAddOn: ofHostname.needsAddOn,
  noHostname: defineProblem({
    says: "The project {ref} has no custom hostname to activate: {remedy}.",
    means: "The hostname was not initialized before its activation.",
    remedy: "Declare a CustomHostname, and refer to it: `customHostname: hostname.customHostname`",
  }),
  hasAnother: defineProblem({
    says: "The project {ref} has the custom hostname {present}, not {name}, so nothing was activated: {remedy}.",
    means: "The project's hostname is not the one whose activation is declared.",
    remedy: "Declare the activation of the hostname that the CustomHostname has",
  }),
};

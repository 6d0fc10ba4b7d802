import { randomBytes } from "node:crypto";
import type { Workspace } from "../engine/workspace";
import type { Service } from "./service";

/** Makes the stack `demo` with its configuration; returns the secret values in it. */
export async function prepareStack(
  workspace: Workspace,
  service: Service,
  projectName: string,
): Promise<string[]> {
  const dbPass = randomBytes(18).toString("base64url");
  const paymentToken = randomBytes(18).toString("base64url");
  await workspace.stackInit("demo");
  await workspace.config("organizationSlug", service.organizationSlug);
  await workspace.config("projectName", projectName);
  await workspace.config("dbPass", dbPass, { secret: true });
  await workspace.config("paymentToken", paymentToken, { secret: true });
  if (service.customHostname !== undefined) await workspace.config("customHostname", service.customHostname);
  return [dbPass, paymentToken];
}

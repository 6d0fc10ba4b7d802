import { z } from "zod";
import { defineFunction } from "../../define/function";
import { authConfig } from "../../resources/auth/auth-config/auth-config";
import { authSettings } from "../../resources/auth/auth-config/settings";
import { ofProject } from "../../lookup/missing-errors";
import { readConfiguration } from "../read-configuration";
import { projectRef } from "../../define/shared-arguments";
import { shownSettings } from "../shown-settings";
import { asFound } from "../as-found";

const inputs = z.strictObject({ projectRef });

const outputs = z.object({ ...shownSettings(authSettings), ...asFound(authConfig.outputs.shape) });

/** How users of a project sign up and sign in. */
export const getAuthConfig = defineFunction({
  name: "getAuthConfig",
  description:
    "Reads the auth configuration of a project: how its users sign up and sign in. What is not set there is absent, and so are secrets, of which the service returns a hash only.",
  inputs,
  outputs,
  problems: ofProject,
  run: (ctx, { projectRef: ref }) => readConfiguration(ctx, ref, authConfig, outputs),
});

import { z } from "zod";
import { logDrainKind } from "../../../../spec/operations/newer/log-drains";
import { computed, identifies, replaces, resets } from "../../../define/markers";
import { openEnum } from "../../../define/open-values";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { shapes } from "./shapes";

const ONE = "Exactly one configuration is required; another one replaces the drain.";

export const logDrainInputs = z.strictObject({
  projectRef,
  name: identifies(z.string().min(1).describe("Name of the drain.")),
  description: resets(z.string().describe("Purpose of the drain.")).optional(),
  // Another one takes its place.
  webhook: resets(shapes.webhook.describe(`Sends logs to an address by HTTP. ${ONE}`)).optional(),
  datadog: resets(shapes.datadog.describe(`Sends logs to Datadog. ${ONE}`)).optional(),
  loki: resets(shapes.loki.describe(`Sends logs to a Loki server. ${ONE}`)).optional(),
  sentry: resets(shapes.sentry.describe(`Sends logs to Sentry. ${ONE}`)).optional(),
  axiom: resets(shapes.axiom.describe(`Sends logs to Axiom. ${ONE}`)).optional(),
  syslog: resets(shapes.syslog.describe(`Sends logs to a syslog server. ${ONE}`)).optional(),
  s3: resets(shapes.s3.describe(`Writes logs to a bucket of S3. ${ONE}`)).optional(),
  last9: resets(shapes.last9.describe(`Sends logs to Last9. ${ONE}`)).optional(),
  otlp: resets(shapes.otlp.describe(`Sends logs to a receiver of OpenTelemetry. ${ONE}`)).optional(),
  backendType: replaces(
    computed(
      openEnum(logDrainKind.meta({ id: "LogDrainKind", description: "A kind of log drain." })).describe(
        "Kind of the drain: the name of the declared configuration. A change replaces the drain.",
      ),
    ),
  ).optional(),
  ...everyResource,
});

export type LogDrainInputs = z.output<typeof logDrainInputs>;

import * as pulumi from "@pulumi/pulumi";
import * as management from "pulumi-management";

const config = new pulumi.Config();
const projectRef = config.require("projectRef");

new management.Secret("payments", {
  projectRef,
  name: "PAYMENTS_KEY",
  value: config.requireSecret("paymentsKey"),
});
new management.ApiKey("backend", {
  projectRef,
  type: "secret",
  name: "backend",
  description: "Used by the orders service",
});
new management.PostgresConfig("database", { projectRef, statementTimeout: "30s", maxConnections: 120 });

const SDK_VERSION = "3.250.0";

/** What the generators of the languages need to know. */
export const languageSections = {
  nodejs: {
    // `pulumi-management` is the package of the dynamic classes.
    packageName: "pulumi-management-sdk",
    dependencies: { "@pulumi/pulumi": `^${SDK_VERSION}` },
    respectSchemaVersion: true,
  },
  python: {
    packageName: "pulumi_management",
    requires: { pulumi: `>=${SDK_VERSION},<4` },
    pyproject: { enabled: true },
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: "example.com/pulumi-management/sdk/go/management",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: {
    rootNamespace: "Example",
    namespaces: { management: "Management" },
    respectSchemaVersion: true,
  },
  java: {
    basePackage: "com.example",
    dependencies: {
      "com.pulumi:pulumi": "1.16.0",
      "com.google.code.findbugs:jsr305": "3.0.2",
      "com.google.code.gson:gson": "2.8.9",
    },
  },
} as const;

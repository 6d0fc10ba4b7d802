import { readFileSync } from "node:fs";
import { join } from "node:path";
import { languageSections } from "../schema/language-sections";
import type { SdkLanguage } from "../sdk/generate-sdk";
import type { Bill } from "./bill-of-materials";

/** What an SDK depends on, by name, with the versions that it allows. */
export type Dependencies = Readonly<Record<string, string>>;

/** An SDK as the bill of materials lists it. */
export interface ListedSdk {
  readonly language: string;
  readonly files: readonly string[];
  readonly dependencies: Dependencies;
}

/** What the generated manifest in the folder of an SDK names. */
export function dependenciesIn(sdk: string, language: SdkLanguage): Dependencies {
  const pairs = (file: string, pattern: RegExp): Dependencies =>
    Object.fromEntries(
      [...readFileSync(join(sdk, file), "utf8").matchAll(pattern)].map(([, name = "", versions = ""]) => [
        name,
        versions.trim(),
      ]),
    );
  switch (language) {
    case "nodejs":
      return languageSections.nodejs.dependencies;
    case "python": {
      const [, listed = ""] =
        /^ *dependencies = (\[.*\])$/m.exec(readFileSync(join(sdk, "pyproject.toml"), "utf8")) ?? [];
      const texts = JSON.parse(listed) as readonly string[];
      return Object.fromEntries(
        texts.map((text) => [text.match(/^[\w.-]+/)?.[0] ?? text, text.replace(/^[\w.-]+/, "")]),
      );
    }
    case "go":
      return pairs("go.mod", /^(?:require )?\t?(\S+\.\S+\/\S+) (v\S+)$/gm);
    case "dotnet": {
      const { rootNamespace, namespaces } = languageSections.csharp;
      return pairs(
        `${rootNamespace}.${namespaces.management}.csproj`,
        /<PackageReference Include="([^"]+)" Version="([^"]+)" \/>/g,
      );
    }
    case "java":
      return languageSections.java.dependencies;
  }
}

/** The bill of the SDKs: their files with checksums, and what each needs to be installed beside it. */
export function sdkBill(
  sdks: readonly ListedSdk[],
  { version, checksum }: { readonly version: string; readonly checksum: (file: string) => string },
): Bill {
  const own = `pulumi-management-sdk@${version}`;
  const components = sdks.flatMap(({ files, dependencies, language }) => [
    ...files.map((name) => ({
      "bom-ref": name,
      type: "file",
      name,
      version,
      description: `SDK for ${language}`,
      hashes: [{ alg: "SHA-256", content: checksum(name) }],
    })),
    ...(files.length === 0 ? [] : Object.entries(dependencies)).map(([name, wanted]) => ({
      "bom-ref": refOf(language, name),
      type: "library",
      name,
      version: wanted,
    })),
  ]);
  const dependencies = sdks.flatMap((sdk) =>
    sdk.files.map((ref) => ({
      ref,
      dependsOn: Object.keys(sdk.dependencies).map((name) => refOf(sdk.language, name)),
    })),
  );
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    serialNumber: undefined,
    version: 1,
    metadata: {
      timestamp: undefined,
      component: { "bom-ref": own, type: "library", name: "pulumi-management-sdk", version },
    },
    components,
    dependencies: [{ ref: own, dependsOn: sdks.flatMap(({ files }) => files) }, ...dependencies],
  };
}

function refOf(language: string, name: string): string {
  return `${language}: ${name}`;
}

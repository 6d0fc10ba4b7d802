import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { languageSections } from "../schema/language-sections";
import { PACKAGE_NAME } from "../schema/package-spec";

/** Writes a project in C# that has every example as a class beside the SDK, and returns its folder. */
export function wrapCSharp(
  examples: Readonly<Record<string, { readonly csharp: string }>>,
  folder: string,
  sdk: string,
): string {
  mkdirSync(folder, { recursive: true });
  const { rootNamespace, namespaces } = languageSections.csharp;
  const reference = join(relative(folder, sdk), `${rootNamespace}.${namespaces[PACKAGE_NAME]}.csproj`);
  writeFileSync(
    join(folder, "Examples.csproj"),
    `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net8.0</TargetFramework>
    <Nullable>enable</Nullable>
  </PropertyGroup>
  <ItemGroup>
    <ProjectReference Include="${reference}" />
  </ItemGroup>
</Project>
`,
  );
  for (const [name, { csharp }] of Object.entries(examples)) {
    // A program of top-level statements is alone in its assembly.
    const start = csharp.indexOf("return await ");
    const text = `using System.Threading.Tasks;
${csharp.slice(0, start)}
static class ${name}Example
{
    public static async Task<int> Run()
    {
${csharp.slice(start)}
    }
}
`;
    writeFileSync(join(folder, `${name}.cs`), text);
  }
  return folder;
}

/** Makes a Maven project of the sources of a Java SDK. */
export function writePom(
  sdk: string,
  { artifact, version }: { readonly artifact: string; readonly version: string },
): void {
  const { basePackage, dependencies } = languageSections.java;
  const needed = Object.entries(dependencies).map(([name, wanted]) => {
    const [group, id] = name.split(":");
    return `    <dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${wanted}</version></dependency>\n`;
  });
  writeFileSync(
    join(sdk, "pom.xml"),
    `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${basePackage}</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${version}</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
${needed.join("")}  </dependencies>
</project>
`,
  );
}

/** Puts every example beside the sources of a Java SDK, where its tests are. */
export function wrapJava(examples: Readonly<Record<string, { readonly java: string }>>, sdk: string): void {
  for (const [name, { java }] of Object.entries(examples)) {
    const folder = join(sdk, "src", "test", "java", `${name}_example`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "App.java"), `package ${name}_example;\n\n${java}`);
  }
}

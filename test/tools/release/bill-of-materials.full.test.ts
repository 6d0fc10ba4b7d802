import { findPackageRoot } from "../../../tools/engine/package-root";
import {
  type Bill,
  completeBill,
  emulatorBill,
  packageBill,
  pluginBill,
} from "../../../tools/release/bill-of-materials";

const root = findPackageRoot();
const namesIn = ({ components }: Bill): string[] => components.map(({ name }) => name);

describe("the bills of materials", () => {
  let complete: Bill;
  beforeAll(async () => {
    complete = await completeBill(root);
  });

  const bundled = ["node_modules/@grpc/grpc-js/build/src/index.js", "provider/plugin/main.ts"];

  it("have what the provider installs and bundles, and nothing of the emulator or of development", () => {
    const bill = packageBill(complete, root, bundled);
    expect(bill.metadata.component).toMatchObject({
      name: "pulumi-management",
      purl: expect.any(String) as string,
    });
    const names = namesIn(bill);
    // `retry` is what one of the dependencies depends on.
    expect(names).toEqual(expect.arrayContaining(["@grpc/grpc-js", "retry", "undici", "zod"]));
    expect(names.filter((name) => /pglite|hono|lexer|emulator|jest|^typescript$/.test(name))).toEqual([]);
  });

  it("have what the emulator installs and the extensions in it, under its own name", () => {
    const bill = emulatorBill(complete, root);
    const { version } = bill.metadata.component;
    const ref = `management-emulator@${version}`;
    expect(bill.metadata.component).toMatchObject({
      "bom-ref": ref,
      name: "management-emulator",
      purl: `pkg:npm/${ref}`,
    });
    const names = namesIn(bill);
    const own = ["@electric-sql/pglite", "@electric-sql/pglite-pgvector", "hono", "zod"];
    expect(names).toEqual(expect.arrayContaining(own));
    expect(names.filter((name) => /^undici$|grpc|pulumi|jest/.test(name))).toEqual([]);
    const [first] = bill.dependencies;
    expect(first).toEqual({ ref, dependsOn: bill.components.map((each) => each["bom-ref"]).toSorted() });
  });

  it("have only what is bundled, and Node.js, for the plugin's archive", () => {
    expect(namesIn(pluginBill(complete, root, bundled))).toEqual(["@grpc/grpc-js", "node"]);
  });
});

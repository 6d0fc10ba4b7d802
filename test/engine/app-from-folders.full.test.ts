import { APP, expectAppStory, type AppOptions } from "./app-story";
import { copyExample, LANGUAGES, linkPackages } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

// The same in Python: examples-python.test.ts.

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

it.each<[string, AppOptions]>([
  [APP, { typesFile: "database.types.ts" }],
  [`${APP}-yaml`, {}],
])("%s comes from its folders, and follows them", async (name, options) => {
  const example = copyExample(name, APP);
  linkPackages(example);
  try {
    await expectAppStory(example, name, options);
  } finally {
    example.dispose();
  }
});

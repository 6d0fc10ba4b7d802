import { copyExample, LANGUAGES } from "./example";
import { expectWholeStory } from "./example-story";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

test("the quickstart in YAML makes all nine resources and removes them again", async () => {
  const example = copyExample("quickstart-yaml");
  try {
    await expectWholeStory(example.projectDir);
  } finally {
    example.dispose();
  }
}, 180_000);

import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores([
    "dist/",
    "emulator/dist/",
    "emulator/index.d.ts",
    "sdk/",
    "examples/*/functions/",
    "examples/quickstart-sdk/",
    "examples/whole-project/",
    "coverage/",
    "**/*.generated.ts",
    "**/*.js",
    "**/*.mjs",
    "**/*.cjs",
  ]),
  js.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    // One program of all files takes 1.9 GB, the project service 3.2.
    languageOptions: { parserOptions: { project: "tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-console": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // Reports every computed key whose name is a constant, where no enum is involved.
      "@typescript-eslint/no-unsafe-enum-assignment": "off",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // Messages are built for users; `throw` of a cause keeps what was thrown.
      "@typescript-eslint/only-throw-error": ["error", { allowRethrowing: true }],
    },
  },
  {
    files: ["test/**"],
    ignores: ["test/kit/wait-until.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector:
            ":matches(WhileStatement > ExpressionStatement, WhileStatement > BlockStatement > ExpressionStatement) > AwaitExpression[argument.callee.name=/^(setImmediate|setTimeout|sleep|nextTurn|Promise)$/]",
          message: "Wait with `waitUntil`, which fails at its line when the condition never becomes true.",
        },
      ],
    },
  },
  { files: ["**/cli.ts", "tools/**", "bench/**", "examples/**"], rules: { "no-console": "off" } },
);

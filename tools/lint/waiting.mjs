/** Where a test waits by sleeping in a loop, which never ends where its condition never becomes true. */
const SLEEP_IN_A_LOOP =
  ":matches(WhileStatement > ExpressionStatement, WhileStatement > BlockStatement > ExpressionStatement) > AwaitExpression[argument.callee.name=/^(setImmediate|setTimeout|sleep|nextTurn|Promise)$/]";

export default {
  meta: { name: "waiting" },
  rules: {
    "no-sleep-in-a-loop": {
      create: (context) => ({
        [SLEEP_IN_A_LOOP]: (node) => {
          context.report({
            node,
            message: "Wait with `waitUntil`, which fails at its line when the condition never becomes true.",
          });
        },
      }),
    },
  },
};

/**
 * Holds `setTimeout` still, by which the client ends what takes too long in real time. Whatever a test waits for happens
 * all the same; `passMs` is the only way in which time passes.
 */
export function fakeTimers(): { readonly passMs: (ms: number) => void } {
  jest.useFakeTimers({
    doNotFake: [
      "Date",
      "hrtime",
      "nextTick",
      "performance",
      "queueMicrotask",
      "setImmediate",
      "clearImmediate",
    ],
  });
  return {
    passMs: (ms) => {
      jest.advanceTimersByTime(ms);
    },
  };
}

import { ApiError } from "../../../provider/client/errors/errors";
import { writeOnce } from "../../../provider/waiting/write-once";
import { bareContext } from "../../kit/bare-context";

/** What becomes of each request in turn, and how many looks find nothing before one finds what was written. */
interface WriteCase {
  readonly answers: readonly (number | "made")[];
  readonly foundAtLook?: number;
  readonly ends: "made" | "found" | number;
  readonly sends: number;
  readonly looks: number;
}

const cases: Readonly<Record<string, WriteCase>> = {
  "an answer is believed": { answers: ["made"], ends: "made", sends: 1, looks: 0 },
  "a refusal is believed": { answers: [409], foundAtLook: 1, ends: 409, sends: 1, looks: 0 },
  "what an unclear answer hides is found": {
    answers: [503],
    foundAtLook: 1,
    ends: "found",
    sends: 1,
    looks: 1,
  },
  "what is not there is sent again": { answers: [503, "made"], ends: "made", sends: 2, looks: 1 },
  "a refusal of the repeated write may be due to the first one": {
    ...{ answers: [503, 409], foundAtLook: 2 },
    ...{ ends: "found", sends: 2, looks: 2 },
  },
  "a refusal of the repeated write is believed where nothing is found": {
    ...{ answers: [503, 409], ends: 409 },
    ...{ sends: 2, looks: 2 },
  },
  "an answer that says neither yes nor no comes again, and is not asked for": {
    ...{ answers: [402], ends: 402 },
    ...{ sends: 1, looks: 1 },
  },
  "it ends after five attempts": {
    ...{ answers: [503, 503, 503, 503, 503, 503], ends: 503 },
    ...{ sends: 5, looks: 5 },
  },
};

it.each(Object.entries(cases))("%s", async (_, { answers, foundAtLook, ends, sends, looks }) => {
  let [sent, looked] = [0, 0];
  const ended = await writeOnce<string>(bareContext(), {
    send: () => {
      const answer = answers[sent];
      sent += 1;
      if (answer === "made") return Promise.resolve("made");
      return Promise.reject(
        new ApiError({ status: answer ?? 0, operation: "createSecrets", serviceMessage: "" }),
      );
    },
    findResult: () => {
      looked += 1;
      return Promise.resolve(looked === foundAtLook ? "found" : undefined);
    },
  }).catch((error: unknown) => (error instanceof ApiError ? error.status : error));
  expect({ ended, sent, looked }).toEqual({ ended: ends, sent: sends, looked: looks });
});

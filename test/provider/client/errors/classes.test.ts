import {
  ApiError,
  ConflictError,
  isAmbiguous,
  isBusy,
  isContentRefusal,
  isNotFound,
  isNotReady,
  isRefusal,
  isTransient,
  NetworkError,
  NotFoundError,
  ResponseSchemaError,
} from "../../../../provider/client/errors/errors";
import { mayPassWhileStarting } from "../../../../provider/waiting/project-state";

const classes = {
  gone: isNotFound,
  refused: isRefusal,
  content: isContentRefusal,
  busy: isBusy,
  notReady: isNotReady,
  transient: isTransient,
  ambiguous: isAmbiguous,
  starting: mayPassWhileStarting,
};

function classesOf(error: unknown): string {
  const names = Object.entries(classes).flatMap(([name, isOf]) => (isOf(error) ? [name] : []));
  return names.join(" ");
}

function failure(status: number): ApiError {
  return new ApiError({ status, operation: "getProject", serviceMessage: "" });
}

it.each([
  [400, "refused content notReady starting"],
  [401, ""],
  [402, "ambiguous"],
  [403, "starting"],
  [404, "starting"],
  [406, "ambiguous"],
  [408, "transient ambiguous starting"],
  [409, "refused busy notReady starting"],
  [413, "ambiguous"],
  [422, "refused content"],
  [423, "busy ambiguous"],
  [425, "busy transient ambiguous starting"],
  [429, ""],
  [500, "transient ambiguous starting"],
  [501, "ambiguous"],
  [503, "transient ambiguous starting"],
  [524, "transient ambiguous starting"],
  [544, "notReady transient ambiguous starting"],
])("classifies an answer of %i as: %s", (status, expected) => {
  expect(classesOf(failure(status))).toBe(expected);
});

it("classifies the service's own errors, and failures without an answer", () => {
  const answer = { operation: "getProject", serviceMessage: "" };
  expect(classesOf(new NotFoundError({ ...answer, status: 406 }))).toBe("gone");
  expect(classesOf(new ConflictError({ ...answer, status: 409 }))).toBe("refused busy notReady starting");
  expect(classesOf(new NetworkError("", true))).toBe("ambiguous");
  expect(classesOf(new NetworkError("", false))).toBe("");
  expect(classesOf(new ResponseSchemaError("", "getProject", ""))).toBe("ambiguous");
  expect(classesOf(new Error("other"))).toBe("");
});

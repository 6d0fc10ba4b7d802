import { parseBaseUrl } from "../../../../provider/client/transport/base-url";
import { InvalidInputError } from "../../../../provider/client/errors/errors";

it.each([
  ["https://api.example.com", "https://api.example.com"],
  ["https://api.example.com/", "https://api.example.com"],
  ["https://api.example.com/base//", "https://api.example.com/base"],
  ["http://localhost:8080", "http://localhost:8080"],
  ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["http://127.8.9.1", "http://127.8.9.1"],
  ["http://[::1]:9", "http://[::1]:9"],
])("takes %s", (given, expected) => {
  expect(parseBaseUrl(given)).toBe(expected);
});

it.each([
  ["http://api.example.com", "unencrypted"],
  ["http://127.0.0.1.example.com", "unencrypted"],
  ["http://localhost.example.com", "unencrypted"],
  ["http://10.0.0.1", "unencrypted"],
  ["ftp://api.example.com", "not an http or https URL"],
  ["api.example.com", "not an http or https URL"],
  ["pat_:hunter22", "not an http or https URL"],
  ["", "not an http or https URL"],
  ["https://user:hunter22@api.example.com", "a user name or a password"],
  ["https://api.example.com?key=hunter22", 'contains "?" or "#"'],
  ["https://api.example.com#hunter22", 'contains "?" or "#"'],
  ["https://api.example.com/v1", "ends with /v1, which every call adds"],
  ["https://api.example.com/api/v1/", "ends with /v1, which every call adds"],
])("refuses %s, says why and what is allowed, and repeats no secret", (given, why) => {
  const parse = (): string => parseBaseUrl(given);
  expect(parse).toThrow(InvalidInputError);
  expect(parse).toThrow(why);
  expect(parse).toThrow("allowed are https URLs");
  expect(parse).not.toThrow("hunter22");
});

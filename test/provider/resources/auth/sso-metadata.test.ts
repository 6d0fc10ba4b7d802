import { readEntityId, normalizeXml } from "../../../../provider/resources/auth/sso-provider/metadata";

const DOCUMENT = `<?xml version="1.0"?>
<md:EntityDescriptor entityID="https://idp.example.com/?a&amp;b" validUntil="2030-01-01T00:00:00Z">
  <md:IDPSSODescriptor>
    <md:X509>MII
ABC</md:X509>
    <md:SingleSignOnService Location="https://idp.example.com"></md:SingleSignOnService>
  </md:IDPSSODescriptor>
</md:EntityDescriptor>`;

it.each([
  ["in one line", DOCUMENT.replace(/\s+/g, " ").replaceAll("> <", "><")],
  ["behind a byte order mark", `\uFEFF${DOCUMENT}`],
  ["behind an empty line", `\n${DOCUMENT}\n`],
  ["without its declaration", DOCUMENT.replace(/<\?.*\?>/, "")],
  ["with a comment", DOCUMENT.replace("<md:IDP", "<!-- the provider --><md:IDP")],
  ["in single quotes", DOCUMENT.replaceAll('"', "'").replace(/<\?.*\?>/, "")],
  ["with its attributes in another order", DOCUMENT.replace(/(entityID=\S+) (validUntil=[^>]+)/, "$2 $1")],
  ["with a numbered character", DOCUMENT.replace("&amp;", "&#38;")],
  ["with an element without an end tag", DOCUMENT.replace("></md:SingleSignOnService>", "/>")],
])("metadata means the same %s", (_how, other) => {
  expect(other).not.toBe(DOCUMENT);
  expect(normalizeXml(other)).toBe(normalizeXml(DOCUMENT));
  expect(readEntityId(other)).toBe("https://idp.example.com/?a&b");
});

it.each([
  ["a certificate", "ABC", "ABD"],
  ["an entity", "idp.example.com/?", "other.example.com/?"],
  ["a value", "2030", "2031"],
  ["an element's name", "md:X509", "md:X510"],
])("metadata with %s of its own means something else", (_what, from, to) => {
  expect(normalizeXml(DOCUMENT.replaceAll(from, to))).not.toBe(normalizeXml(DOCUMENT));
});

const deep = (space: string): string => `${`<a>${space}`.repeat(20_000)}${"</a>".repeat(20_000)}`;

it.each([
  ["is no XML", "hello\nworld", "hello world"],
  ["is nested too deeply", deep("\n"), deep(" ")],
  [
    "uses what it defines",
    '<!DOCTYPE a [<!ENTITY e "e">]>\n<a>&e;</a>',
    '<!DOCTYPE a [<!ENTITY e "e">]> <a>&e;</a>',
  ],
])("metadata that %s is compared as text and names no entity", (_what, text, inOneLine) => {
  expect(normalizeXml(text)).toBe(inOneLine);
  expect(readEntityId(text)).toBeUndefined();
});

it("finds the entity outside of comments, and the first of a federation", () => {
  const entity = (id: string): string => `<EntityDescriptor entityID="${id}"/>`;
  expect(readEntityId(`<!-- ${entity("none")} -->${entity("one")}`)).toBe("one");
  expect(readEntityId(`<EntitiesDescriptor>${entity("one")}${entity("two")}</EntitiesDescriptor>`)).toBe(
    "one",
  );
  expect(readEntityId("<a/>")).toBeUndefined();
  expect(readEntityId(undefined)).toBeUndefined();
});

import type { Page } from "playwright-core";

/** A text that the page shows, and how well it stands out from what is behind it: from 1 to 21. */
export interface ShownText {
  readonly text: string;
  readonly on: string;
  readonly contrast: number;
}

interface Painted {
  readonly text: string;
  readonly color: string;
  /** Of the element and those around it, from the inside. */
  readonly backgrounds: readonly string[];
}

/** Runs in the page: every element that has a text of its own, and fields that show a placeholder. */
const PAINTED = `[...document.querySelectorAll("body *")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .flatMap((each) => {
    const backgrounds = [];
    for (let at = each; at !== null; at = at.parentElement) backgrounds.push(getComputedStyle(at).backgroundColor);
    const own = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = own.map((node) => node.textContent).join("").trim();
    const shown = [];
    if (text !== "" && each.tagName !== "OPTION") shown.push({ text, color: getComputedStyle(each).color, backgrounds });
    if (each.placeholder) {
      shown.push({ text: each.placeholder, color: getComputedStyle(each, "::placeholder").color, backgrounds });
    }
    return shown;
  })`;

/** Every text that is shown, in the colours that the browser has computed. */
export async function shownTexts(page: Page): Promise<ShownText[]> {
  const painted = await page.evaluate<Painted[]>(PAINTED);
  return painted.map(({ text, color, backgrounds }) => {
    const on = backgrounds.find((each) => partsOf(each).alpha > 0) ?? "rgb(255, 255, 255)";
    const [lighter = 0, darker = 0] = [lightness(color), lightness(on)].sort((a, b) => b - a);
    return { text, on, contrast: (lighter + 0.05) / (darker + 0.05) };
  });
}

/** The colour behind the first element that a selector names. */
export function backgroundOf(page: Page, selector: string): Promise<string> {
  return page.evaluate<string>(
    `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`,
  );
}

/** Relative luminance, as the guidelines for contrast compute it: 0 is black, 1 is white. */
export function lightness(color: string): number {
  const { channels } = partsOf(color);
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Of `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`. */
function partsOf(color: string): { channels: number[]; alpha: number } {
  const numbers = /^rgba?\((.*)\)$/.exec(color)?.[1]?.split(",").map(Number);
  if (numbers === undefined || numbers.some(Number.isNaN)) throw new Error(`${color} is no colour in RGB`);
  return { channels: numbers.slice(0, 3), alpha: numbers[3] ?? 1 };
}

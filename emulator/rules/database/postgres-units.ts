const SIZE = /^-?\d+(?:\.\d+)?\s*(?:B|kB|MB|GB|TB)?$/;
const DURATION = /^-?\d+(?:\.\d+)?\s*(?:us|ms|s|min|h|d)?$/;

const kilobytes: Readonly<Record<string, number>> = { kB: 1, MB: 2 ** 10, GB: 2 ** 20, TB: 2 ** 30 };

/** A number with one of the units that Postgres has for sizes, or with none. */
export function isSize(value: string): boolean {
  return SIZE.test(value);
}

/** A number with one of the units that Postgres has for times, or with none. */
export function isDuration(value: string): boolean {
  return DURATION.test(value);
}

/** The size in kB; one without such a unit stays as it is. */
export function sizeInKilobytes(value: string): string {
  const [, amount, unit = ""] = /^(-?\d+(?:\.\d+)?)\s*([A-Za-z]+)$/.exec(value) ?? [];
  const factor = kilobytes[unit];
  return amount === undefined || factor === undefined ? value : `${Math.round(Number(amount) * factor)}kB`;
}

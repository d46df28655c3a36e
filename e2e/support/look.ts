import type { Locator } from '@playwright/test';

type Colour = 'green' | 'red' | 'orange' | 'other';

/** What a person would call the colour of an element's text. */
export async function colourOf(locator: Locator): Promise<Colour> {
  const text = await locator.evaluate((element) => getComputedStyle(element).color);
  const [red = 0, green = 0, blue = 0] = (text.match(/\d+/g) ?? []).map(Number);
  if (green > red && green > blue) return 'green';
  if (red > green && red > blue) return green > red * 0.35 ? 'orange' : 'red';
  return 'other';
}

/** How tables order texts: without regard to case, and numbers by their value, also those within an id. */
export const textOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;

/** DD/MM/YYYY HH:mm A in this process's time zone, which is the browser's too. */
export function tableDate(moment: string): string {
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${two(at.getDate())}/${two(at.getMonth() + 1)}/${at.getFullYear()}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())} ${at.getHours() < 12 ? 'AM' : 'PM'}`;
}

/**
 * A text of JSON or JavaScript in whose strings everything is written as its number that is not seen, or turns the order
 * of what stands around it. Outside of strings such a text has only line breaks, which stay.
 */
export function spellUnseen(text: string): string {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

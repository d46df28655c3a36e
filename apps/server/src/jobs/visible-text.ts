// Escape sequences: colours are kept, everything that moves the cursor, sets titles or makes links goes.
// oxlint-disable-next-line no-control-regex -- these control characters are what the expression is about
export const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- as above
const COLOUR = /^\x1b\[[\d;]*m$/;
// oxlint-disable-next-line no-control-regex -- tab and escape stay, all other control characters go
const CONTROLS = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;
/** Characters that change the reading direction or cannot be seen. */
const INVISIBLE =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What most lines are: nothing in them has to be taken out. */
const PLAIN = /^[\t\x20-\x7e]*$/;

/** A text without what moves the cursor, cannot be seen or turns the direction; colours stay. */
export function withoutControls(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(ESCAPES, (sequence) => (COLOUR.test(sequence) ? sequence : ''))
    .replaceAll(CONTROLS, '')
    .replaceAll(INVISIBLE, '');
}

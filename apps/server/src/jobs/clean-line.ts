/** Shapes of secrets that builds are known to print: our tokens, those of registries and git providers, bearer headers. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\bcnry_[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bgh[opsur]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_\w{30,}/g,
  /\bglpat-[\w-]{20,}/g,
  /(?<=\bBearer )[\w.~+/-]{16,}=*/g,
  /(?<=_authToken=)\S+/g,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{1,200}(?=@)/g,
];
const HIDDEN = '[hidden]';
/** Shorter texts would black out ordinary words. */
const SHORTEST_SECRET = 8;

// Escape sequences: colours are kept, everything that moves the cursor, sets titles or makes links goes.
// oxlint-disable-next-line no-control-regex -- these control characters are what the expression is about
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- as above
const COLOUR = /^\x1b\[[\d;]*m$/;
// oxlint-disable-next-line no-control-regex -- tab and escape stay, all other control characters go
const CONTROLS = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;
/** Characters that change the reading direction or cannot be seen. */
const INVISIBLE =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** What most lines are: nothing in them has to be taken out. */
const PLAIN = /^[\t\x20-\x7e]*$/;
/** What every shape of a secret has in it. */
const MAYBE_SECRET = /_|-|Bearer |:\/\//;

/** A line as it may be stored and shown: no secret, no escape sequence but colours, no invisible character. */
export function cleanLine(text: string, secrets: readonly string[]): string {
  let line = PLAIN.test(text) ? text : withoutControls(text);
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) line = line.replaceAll(secret, HIDDEN);
  }
  if (!MAYBE_SECRET.test(line)) return line;
  for (const shape of SECRET_SHAPES) line = line.replaceAll(shape, HIDDEN);
  return line;
}

/** A text of a tenant as it may be shown in one line: no control characters, no colours, nothing that hides or turns it. */
export function plainLine(text: string): string {
  return PLAIN.test(text) ? text : withoutControls(text).replaceAll(ESCAPES, '').replaceAll('\x1b', '');
}

function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPES, (sequence) => (COLOUR.test(sequence) ? sequence : ''))
    .replaceAll(CONTROLS, '')
    .replaceAll(INVISIBLE, '');
}

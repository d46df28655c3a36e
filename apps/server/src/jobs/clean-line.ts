import { SHORTEST_SECRET } from '@cannery/contract';

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

/** What stands at the end of a line of which only the beginning is kept. */
const CUT = / … ?(?:\(\d+ more characters\))?$/;
/** Fewer characters of a secret tell nothing of it. */
const LEAST_START = 4;

/** A cut line without the beginning of a secret that the cut has left at its end. */
function withoutStart(line: string, secret: string): string {
  const cut = CUT.exec(line);
  if (cut === null) return line;
  for (let length = Math.min(secret.length - 1, cut.index); length >= LEAST_START; length -= 1) {
    if (!line.startsWith(secret.slice(0, length), cut.index - length)) continue;
    return line.slice(0, cut.index - length) + HIDDEN + line.slice(cut.index);
  }
  return line;
}

/**
 * The forms in which programs print secrets: as they are, each line of them, quoted in JSON, in an address, in base64. The
 * longest come first, so that none is hidden in part.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r?\n/).map((line) => withoutControls(line));
    for (const text of [secret, ...lines]) {
      forms.add(text);
      forms.add(JSON.stringify(text).slice(1, -1));
      forms.add(encodeURIComponent(text.toWellFormed()));
      forms.add(Buffer.from(text).toString('base64'));
    }
  }
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** A line as it may be stored and shown: no secret, no escape sequence but colours, no invisible character. */
export function cleanLine(text: string, secrets: readonly string[]): string {
  let line = PLAIN.test(text) ? text : withoutControls(text);
  for (const secret of secrets) {
    if (secret.length >= SHORTEST_SECRET) line = withoutStart(line.replaceAll(secret, HIDDEN), secret);
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

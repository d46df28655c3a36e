import { SHORTEST_SECRET } from '@cannery/contract';
import { withoutControls } from './visible-text.ts';

/**
 * Characters of all encoded forms, so that the start of a run stays short: as many as 150 kB of secrets have. Beyond it secrets
 * and their lines are looked for as they are.
 */
const ENCODED_LIMIT = 4_000_000;

/**
 * The forms in which programs print secrets: as they are, each line of them, quoted for JSON and shells, in addresses, in hexadecimal, and
 * in base64, also as a part of what is encoded (`Basic` has a name before).
 */
export function secretForms(secrets: readonly string[]): string[] {
  const lines = secrets.flatMap((secret) => secret.split(/\r?\n/));
  // Passwords are short, and come before files; of files the longest lines tell most.
  const texts = [
    ...secrets.toSorted((a, b) => a.length - b.length),
    ...lines.toSorted((a, b) => b.length - a.length),
  ].flatMap((text) => [text, withoutControls(text)]);
  const forms = new Set<string>(texts);
  let length = 0;
  for (const text of new Set(texts)) {
    if (text.length < SHORTEST_SECRET) continue;
    if (length > ENCODED_LIMIT) break;
    for (const form of encodedForms(text)) {
      forms.add(form);
      length += form.length;
    }
  }
  return [...forms].filter((form) => form.length >= SHORTEST_SECRET);
}

function encodedForms(text: string): string[] {
  const address = encodeURIComponent(text.toWellFormed());
  // What some programs escape besides (RFC 3986), and how forms write a space.
  const strict = address.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const bytes = Buffer.from(text);
  const pairs = bytes.toString('hex').match(/../g) ?? [];
  return [
    text.toUpperCase(),
    JSON.stringify(text).slice(1, -1),
    text.replaceAll("'", "'\\''"),
    address,
    strict,
    address.replaceAll('%20', '+'),
    ...['', ':', '-', ',', '%', '\\x', '0x', ',0x'].map((between) => pairs.join(between)),
    ...base64Forms(bytes),
  ];
}

/** Base64 of bytes that begin at each of the three places of a group; what depends on the bytes around them is left out. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [bytes.toString('base64'), bytes.toString('base64url')];
  for (const before of [0, 1, 2]) {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor((shifted.length * 8) / 6);
    for (const alphabet of ['base64', 'base64url'] as const)
      forms.push(shifted.toString(alphabet).slice(first, end));
  }
  return forms;
}

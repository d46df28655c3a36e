import pg from 'pg';

/** Type numbers of Postgres (pg_type.oid). */
export const TIMESTAMPTZ: number = 1184;
export const TEXTS: number = 1009;

const parseMoment: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ, 'text');
const parseTexts: (text: string) => unknown = pg.types.getTypeParser(TEXTS, 'text');

/** A moment as Postgres writes it for a client in UTC. */
const PLAIN_MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
/** What a list of texts has that is more than texts between commas: quotes, escapes, nulls, lists in it, and places to count from. */
const NOT_PLAIN = /["\\]|null|^\[|^\{\{/i;

/**
 * Reads `timestamptz`. Taking dates apart with `pg` is a third of what reading a long list costs; what is rare (years of five digits,
 * infinity, other time zones) is left to it.
 */
export function readMoment(text: string): unknown {
  if (!PLAIN_MOMENT.test(text)) return parseMoment(text);
  return new Date(`${text.slice(0, -3).replace(' ', 'T')}Z`);
}

/** Reads `text[]`: what is plain by its commas, the rest with `pg`. */
export function readTexts(text: string): unknown {
  if (text === '{}') return [];
  return NOT_PLAIN.test(text) ? parseTexts(text) : text.slice(1, -1).split(',');
}

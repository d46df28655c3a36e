import type { Dapp } from '@cannery/contract';

/** The average of a dapp's ratings, and what it says. */
export interface Rating {
  readonly average: number;
  /** Such as '4.5 of 5 stars, 12 ratings'. */
  readonly text: string;
  /** The same where the stars are beside it: '4.5 (12)'. */
  readonly short: string;
}

/** What people have rated a dapp; undefined where the service gives no real rating. */
export function ratingOf({ rating, ratings }: Pick<Dapp, 'rating' | 'ratings'>): Rating | undefined {
  if (rating === null || rating < 0 || rating > 5) return undefined;
  if (ratings === null || !Number.isInteger(ratings) || ratings < 1) return undefined;
  const number = ratings.toLocaleString('en');
  const count = ratings === 1 ? '1 rating' : `${number} ratings`;
  return {
    average: rating,
    text: `${Number(rating.toFixed(1))} of 5 stars, ${count}`,
    short: `${rating.toFixed(1)} (${number})`,
  };
}

/** Characters of a description that a card has room for. */
const SHOWN = 30;

/** A description cut for a card: its first 30 characters and '...', or all of it when it is not longer. */
export function shortDescription(text: string): string {
  // By characters, not by halves of them.
  const characters = Array.from(text);
  return characters.length <= SHOWN ? text : `${characters.slice(0, SHOWN).join('')}...`;
}

/** How often a dapp was installed, for people; undefined where that is not known. */
export function installsText(installs: number | null): string | undefined {
  if (installs === null) return undefined;
  if (installs === 0) return 'Not installed yet';
  return installs === 1 ? '1 install' : `${installs} installs`;
}

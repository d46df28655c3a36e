import { foldText, sortText, textPieces } from '@cannery/contract';

/** What a row is searched and sorted by. */
export interface SearchKeys {
  readonly search_text: string;
  readonly sort_text: string;
  readonly pieces: number[];
}

/** What a name of a user's row is found by, and its place among the names. */
export function searchKeys(userId: string, name: string): SearchKeys {
  return { search_text: foldText(name), sort_text: sortText(name), pieces: textPieces(userId, name) };
}

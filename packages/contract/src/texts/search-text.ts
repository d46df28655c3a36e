/** A text as searches compare it: without regard to case, and to how a sign is written in Unicode. */
export function foldText(text: string): string {
  // Of thousands of names most are ASCII, which is written in one way only.
  return (ASCII.test(text) ? text : text.normalize('NFKC')).toLowerCase();
}

const ASCII = /^[\0-\x7f]*$/;

/**
 * A text that plain comparison of codes puts where people look for a name: without regard to case and accents, and with
 * numbers by their value.
 */
export function sortText(text: string): string {
  return (
    foldText(text)
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      // A number is led by a sign for its length, so that a longer one comes later.
      .replaceAll(/\d+/g, (digits) => {
        const number = digits.replace(/^0+(?=\d)/, '');
        return String.fromCharCode(0x30 + Math.min(number.length, MOST_DIGITS)) + number;
      })
  );
}

/** A longer number is sorted as if it had as many digits; the sign for its length stays below that of a letter. */
const MOST_DIGITS = 48;

/** The longest pieces that a text is found by, in UTF-16 units. */
const PIECE = 3;
/** Pieces of a search that are looked up; more would narrow it no further. */
const MOST_PIECES = 24;

/**
 * All pieces of one, two and three signs that a text holds, each as a number that hashes it with its owner. A text holds
 * another only if it has all pieces of that.
 * @param owner keeps the texts of one user apart from those of all others
 */
export function textPieces(owner: string, text: string): number[] {
  const folded = foldText(text);
  const pieces = new Set<number>();
  for (let length = 1; length <= PIECE; length += 1) {
    for (let at = 0; at + length <= folded.length; at += 1) {
      pieces.add(hashOf(`${owner}\n${folded.slice(at, at + length)}`));
    }
  }
  return [...pieces];
}

/** The longest pieces of a search; every text that holds the search has all of them. */
export function searchPieces(owner: string, search: string): number[] {
  const folded = foldText(search);
  const length = Math.min(PIECE, folded.length);
  const pieces = new Set<number>();
  for (let at = 0; at + length <= folded.length && pieces.size < MOST_PIECES; at += 1) {
    pieces.add(hashOf(`${owner}\n${folded.slice(at, at + length)}`));
  }
  return [...pieces];
}

/** FNV-1a over UTF-16 units, as a signed number of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

import { expect, test } from 'vitest';
import { foldText, searchPieces, sortText, textPieces } from './search-text.ts';

test('names sort without regard to case and accents, numbers by their value', () => {
  const order = ['eclairs', 'ж', 'a010', 'z', 'A1', 'a2', 'a', 'Éclair'].toSorted((a, b) =>
    sortText(a) < sortText(b) ? -1 : 1,
  );
  expect(order).toEqual(['a', 'A1', 'a2', 'a010', 'Éclair', 'eclairs', 'z', 'ж']);
  expect(sortText('a010')).toBe(sortText('A10'));
  expect(sortText(`a${'9'.repeat(200)}`) < sortText('ab')).toBe(true);
});

test.each(['p', 'ea', 'PEACH', 'ﬁg', 'h c', '桃'])('a text that holds %j has all its pieces', (search) => {
  const pieces = textPieces('ada', 'Peach cans, fig 桃');
  expect(searchPieces('ada', search).length).toBeGreaterThan(0);
  expect(pieces).toEqual(expect.arrayContaining(searchPieces('ada', search)));
  expect(pieces).not.toEqual(expect.arrayContaining(searchPieces('eve', search)));
});

test('a long search looks up no more pieces than narrow it', () => {
  expect(searchPieces('ada', 'abcdefghijklmnopqrstuvwxyz'.repeat(8))).toHaveLength(24);
});

test('a text is folded as Unicode says, also where it takes the short way', () => {
  for (let code = 0; code < 0x3_000; code += 1) {
    const text = `A${String.fromCharCode(code)}b`;
    expect(foldText(text)).toBe(text.normalize('NFKC').toLowerCase());
  }
});

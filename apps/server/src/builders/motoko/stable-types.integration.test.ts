import { expect, test } from 'vitest';
import { stableTypeErrors } from './stable-types.ts';

const actor = (fields: string) => `// Version: 1.0.0\nactor {\n  ${fields}\n};\n`;

test('a variable that is new, or whose type grew, is compatible', async () => {
  const before = actor('stable var count : Nat');
  expect(await stableTypeErrors(before, before)).toEqual({ errors: [] });
  expect(await stableTypeErrors(before, actor('stable var count : Int; stable var name : Text'))).toEqual({
    errors: [],
  });
});

test('a variable that is gone, or whose type does not fit, is named', async () => {
  const result = await stableTypeErrors(
    actor('stable var count : Int; stable var name : Text'),
    actor('stable var count : Nat'),
  );
  expect(result).toEqual({
    errors: [
      expect.stringMatching(/^The new type of stable variable `count` is not compatible/),
      expect.stringMatching(
        /^The stable variable `name` of the previous version cannot be implicitly discarded/,
      ),
    ],
  });
});

test('texts that are no stable types are said to be unreadable', async () => {
  expect(await stableTypeErrors('hello', actor(''))).toMatchObject({ failure: expect.any(String) });
});

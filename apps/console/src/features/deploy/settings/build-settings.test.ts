import type { Deploy } from '@cannery/contract';
import { expect, test } from 'vitest';
import { givenVariables, pastedVariables, variableProblem, variableRows } from './build-settings.ts';

const saved = [
  { name: 'WORD', value: 'peach', secret: false },
  { name: 'TOKEN', value: null, secret: true },
  { name: null, value: 'x', secret: false },
];
const rows = variableRows({ variables: saved } as unknown as Deploy);
const row = (name: string, value: string, secret = false) => ({ name, value, secret, isKept: false });

test('a secret that is not typed again keeps its value', () => {
  expect(rows).toEqual([
    { name: 'WORD', value: 'peach', secret: false, isKept: false },
    { name: 'TOKEN', value: '', secret: true, isKept: true },
  ]);
  expect(givenVariables([...rows, row('', ''), row(' NEW ', '')])).toEqual([
    { name: 'WORD', value: 'peach', secret: false },
    { name: 'TOKEN', secret: true },
    { name: 'NEW', value: '', secret: false },
  ]);
  const typed = rows.map((one) => (one.isKept ? { ...one, value: 'a new secret' } : one));
  expect(givenVariables(typed)[1]).toEqual({ name: 'TOKEN', value: 'a new secret', secret: true });
});

test('a line says what is wrong with it', () => {
  const all = [
    ...rows,
    row('WORD', 'again'),
    row('A-B', 'x'),
    row('PATH', '/bin'),
    row('KEY', '1234567', true),
  ];
  expect(all.map((one) => variableProblem(one, all))).toEqual([
    'WORD is given twice.',
    undefined,
    'WORD is given twice.',
    'A name has letters, digits and _, and does not begin with a digit.',
    'The build sets PATH itself.',
    'A secret has at least 8 characters.',
  ]);
  expect(variableProblem(row('', ''), all)).toBeUndefined();
  expect(variableProblem(row('', 'x'), all)).toContain('A name has');
});

test('the text of a .env file becomes lines; anything else is left as it is', () => {
  const text =
    '# of the shop\nVITE_WORD=peach\n\nexport TOKEN="a b=c#de"\nSHORT = x\r\nQUOTED=\'it"s long\'\n';
  expect(pastedVariables(text)).toEqual([
    row('VITE_WORD', 'peach'),
    row('TOKEN', 'a b=c#de', true),
    row('SHORT', 'x'),
    row('QUOTED', 'it"s long', true),
  ]);
  expect(pastedVariables('WORD')).toEqual([]);
  expect(pastedVariables('A=b\nno line of such a file')).toEqual([]);
});

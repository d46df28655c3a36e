import { describe, expect, it } from 'vitest';
import {
  lastPrincipal,
  parseArgument,
  parseScript,
  ScriptError,
  scriptOfFile,
  scriptOfSource,
} from './drun-script.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('an argument', () => {
  it.each([
    ['0x4449444c0000', bytes(0x44, 0x49, 0x44, 0x4c, 0, 0)],
    ['0x', bytes()],
    ['"DIDL\\x00\\x00"', bytes(0x44, 0x49, 0x44, 0x4c, 0, 0)],
    ['"\\b00000101\\"\\\\"', bytes(5, 0x22, 0x5c)],
  ])('%s is read', (text, expected) => {
    expect(parseArgument(text)).toEqual(expected);
  });

  it.each(['0x123', 'DIDL', '"DIDL\\x0"', ''])('%s is not one', (text) => {
    expect(parseArgument(text)).toBeUndefined();
  });
});

describe('a script', () => {
  it('is taken from the comments of a Motoko file', () => {
    const source = ['actor {}', '//CALL ingress go 0x00', '  //CALL query no 0x', '//CALL upgrade'].join(
      '\n',
    );
    const commands = parseScript(scriptOfSource(source, 'a.mo'));
    expect(commands.map(({ kind }) => kind)).toEqual(['install', 'ingress', 'upgrade']);
    expect(commands[1]).toMatchObject({ method: 'go', arg: bytes(0) });
  });

  it('names the canister of its subnet', () => {
    const text = '# a comment\ncreate\ninstall $ID a/a.mo 0x\n\nquery $ID get 0x';
    const [system, application] = [false, true].map((on) => parseScript(scriptOfFile(text, on)));
    expect(system?.map(({ canister }) => canister)).toEqual(Array(2).fill('rwlgt-iiaaa-aaaaa-aaaaa-cai'));
    expect(application?.[0]).toMatchObject({ canister: '22ajg-aqaaa-aaaap-adukq-cai', source: 'a/a.mo' });
  });

  it('names the canister that is to be stopped in the argument', () => {
    const [stop] = parseScript(scriptOfFile('ingress aaaaa-aa stop_canister $PRINCIPAL', false));
    expect(lastPrincipal(stop?.arg ?? bytes()).toText()).toBe('rwlgt-iiaaa-aaaaa-aaaaa-cai');
  });

  it.each(['delete a b c', 'install a b', 'query a b'])('with the line "%s" is refused', (line) => {
    expect(() => parseScript(line)).toThrow(ScriptError);
  });
});

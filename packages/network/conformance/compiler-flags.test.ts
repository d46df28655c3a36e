import { describe, expect, it } from 'vitest';
import { compilerSettings, UnsupportedFlagError } from './compiler-flags.ts';

const run = { persistence: 'enhanced', forceGc: true, incrementalGc: false } as const;

describe('the flags of a file', () => {
  it('become settings of the compiler', () => {
    const source =
      '//MOC-FLAG --legacy-persistence --incremental-gc\n//MOC-FLAG -A M0239 --actor-idl folder\n//MOC-FLAG --actor-alias self aaaaa-aa';
    expect(compilerSettings(source, run)).toEqual({
      persistence: 'classic',
      forceGc: true,
      incrementalGc: true,
      flags: ['-A', 'M0239'],
      candidFolder: 'folder',
      aliases: [['self', 'aaaaa-aa']],
    });
  });

  it('may be without effect', () => {
    const source =
      '//MOC-FLAG --stable-regions --experimental-stable-memory 1 --enhanced-orthogonal-persistence';
    expect(compilerSettings(source, run)).toMatchObject({ persistence: 'enhanced', flags: [] });
  });

  it.each(['--sanity-checks', '--max-stable-pages 16'])('%s cannot be set', (flag) => {
    expect(() => compilerSettings(`//MOC-FLAG ${flag}`, run)).toThrow(UnsupportedFlagError);
  });

  it('cannot ask for enhanced persistence in a run of the classic kind', () => {
    const source = '//MOC-FLAG --enhanced-orthogonal-persistence';
    expect(() => compilerSettings(source, { ...run, persistence: 'classic' })).toThrow(UnsupportedFlagError);
  });
});

import { describe, expect, test } from 'vitest';
import { filterFlags, flagAttempts, splitFlags } from '../source/flags.ts';
import { parseLenientJson, parseToml, parseYaml } from '../source/settings-text.ts';

describe('dfx.json', () => {
  test('may have comments and trailing commas', () => {
    const text = '\uFEFF{ // a\n "a": [1, 2,], /* b */ "b": {"c": "x, ] // no comment",\n},\n}';
    expect(parseLenientJson(text, 'dfx.json')).toEqual({ a: [1, 2], b: { c: 'x, ] // no comment' } });
  });

  test('that is broken is named', () => {
    expect(() => parseLenientJson('{ "a": ', 'dfx.json')).toThrow(/^dfx\.json is not valid JSON/);
  });
});

describe('mops.toml', () => {
  test('tables, dotted keys, arrays over lines and inline tables', () => {
    const settings = parseToml(
      [
        '# head',
        '[toolchain]',
        'moc = "1.9.0" # why',
        '[dependencies]',
        'core = "2.5.0"',
        '"base@0" = \'./base\'',
        '[moc]',
        'args = [',
        '  "--default-persistent-actors", # one',
        '  "-W=M0236",',
        ']',
        '[canisters]',
        'plain = "src/a.mo"',
        'table = { main = "src/b.mo", args = ["-A", "M1"] }',
        '[canisters.backend]',
        'main = "backend/main.mo"',
        'count = 1_000',
        'on = true',
      ].join('\n'),
      'mops.toml',
    );
    expect(settings).toEqual({
      toolchain: { moc: '1.9.0' },
      dependencies: { core: '2.5.0', 'base@0': './base' },
      moc: { args: ['--default-persistent-actors', '-W=M0236'] },
      canisters: {
        plain: 'src/a.mo',
        table: { main: 'src/b.mo', args: ['-A', 'M1'] },
        backend: { main: 'backend/main.mo', count: 1000, on: true },
      },
    });
  });

  test('a key named __proto__ changes nothing but its own table', () => {
    parseToml('[__proto__]\npolluted = "yes"', 'mops.toml');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test.each(['[a', 'a', 'a = ', 'a = "x', 'a = [1 2]'])('%j is refused with its line', (text) => {
    expect(() => parseToml(`\n${text}`, 'mops.toml')).toThrow(/^mops\.toml, line \d/);
  });
});

describe('icp.yaml', () => {
  test('lists of maps, block and quoted text, comments', () => {
    const settings = parseYaml(
      [
        '# yaml-language-server: x',
        'canisters:',
        '  - name: backend # it',
        '    recipe:',
        '      type: "@dfinity/motoko@v5.0.0"',
        '      configuration:',
        "        main: 'src/main.mo'",
        '        args: --incremental-gc',
        '  - name: own',
        '    build:',
        '      steps:',
        '        - type: script',
        '          commands:',
        '            - command -v moc >/dev/null 2>&1 || { echo >&2 "none \\n"; exit 1; }',
        '            - moc src/main.mo',
        '            - |',
        '              one',
        '              two',
        '  - "folder/*"',
        'list: [a, "b"]',
        'none:',
      ].join('\n'),
      'icp.yaml',
    );
    expect(settings).toEqual({
      canisters: [
        {
          name: 'backend',
          recipe: {
            type: '@dfinity/motoko@v5.0.0',
            configuration: { main: 'src/main.mo', args: '--incremental-gc' },
          },
        },
        {
          name: 'own',
          build: {
            steps: [
              {
                type: 'script',
                commands: [
                  'command -v moc >/dev/null 2>&1 || { echo >&2 "none \\n"; exit 1; }',
                  'moc src/main.mo',
                  'one\ntwo\n',
                ],
              },
            ],
          },
        },
        'folder/*',
      ],
      list: ['a', 'b'],
      none: '',
    });
  });

  test('a list at the indentation of its key', () => {
    expect(parseYaml('canisters:\n- name: a\n- name: b\n', 'icp.yaml')).toEqual({
      canisters: [{ name: 'a' }, { name: 'b' }],
    });
  });

  test('wrong indentation is refused with its line', () => {
    expect(() => parseYaml('a: 1\n   b: 2\n', 'icp.yaml')).toThrow(/^icp\.yaml, line 1/);
  });
});

describe('compiler flags', () => {
  test('known ones stay, others go with their values', () => {
    const given = splitFlags(
      '--legacy-actors -W M0223,M0236 -W=M0237 --incremental-gc --public-metadata candid:args --package json ".mops/json" ' +
        '--actor-env-alias publisher PUBLIC_CANISTER_ID:publisher publisher.did --args0 /etc/passwd --error-detail 2',
    );
    expect(filterFlags(given)).toEqual({
      flags: ['--legacy-actors', '-W', 'M0223,M0236', '-W=M0237', '--error-detail', '2'],
      dropped: ['--package json .mops/json', '--args0 /etc/passwd'],
    });
  });

  test('the meaning of actors is tried in the order old, then new', () => {
    expect(flagAttempts(['-A', 'M1'])).toEqual([
      ['-A', 'M1'],
      ['-A', 'M1', '--legacy-actors'],
      ['-A', 'M1', '--default-persistent-actors'],
    ]);
    expect(flagAttempts(['--default-persistent-actors'])).toHaveLength(2);
  });
});

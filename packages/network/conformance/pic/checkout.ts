import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const COMPILE = fileURLToPath(new URL('./compile-example.ts', import.meta.url));

/** A canister of the examples, by its `canister.yaml`. */
interface ExampleCanister {
  readonly name: string;
  readonly folder: string;
  /** File to begin with, below the folder; nothing where it is not in Motoko. */
  readonly main: string | undefined;
}

/** A checkout of dfinity/pic-js whose packages are installed. */
export class Checkout {
  readonly folder: string;
  readonly #require: NodeJS.Require;

  constructor(folder: string) {
    this.folder = folder;
    this.#require = createRequire(join(folder, 'package.json'));
  }

  /** Whether the folder is one. */
  static isOne(folder: string): boolean {
    return (
      existsSync(join(folder, 'packages/pic/jest.config.ts')) && existsSync(join(folder, 'node_modules'))
    );
  }

  /** Names of the examples. */
  get examples(): readonly string[] {
    const all = readdirSync(join(this.folder, 'examples'));
    return all.filter((name) => existsSync(join(this.folder, 'examples', name, 'tests'))).sort();
  }

  /** The file that Node runs for a program of a package. */
  program(packageName: string, file: string): string {
    return join(dirname(this.#require.resolve(`${packageName}/package.json`)), file);
  }

  /** The version of an installed package. */
  versionOf(packageName: string): string {
    const path = join(this.folder, 'node_modules', packageName, 'package.json');
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  }

  /**
   * Puts a script that runs this network where PicJS looks for the program of PocketIC, for the sources and for the installed package; what
   * was there comes back when it is disposed of.
   */
  useOurProgram(): Disposable {
    const undo = new DisposableStack();
    for (const place of ['packages/pic', 'node_modules/@dfinity/pic']) {
      const program = join(realpathSync(join(this.folder, place)), 'pocket-ic');
      const before = `${program}.before`;
      if (existsSync(program) && !existsSync(before)) renameSync(program, before);
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' pocket-ic "$@"\n`, {
        mode: 0o755,
      });
      undo.defer(() => {
        rmSync(program);
        if (existsSync(before)) renameSync(before, program);
      });
    }
    return undo;
  }

  /**
   * Makes the modules and declarations of an example as `scripts/build-examples.sh` does, Motoko with the compiler of this repository.
   * @param modules folder with modules of canisters that are in another language, as `<name>.wasm` or `<name>.wasm.gz`
   * @returns the names of the canisters that it has no module for
   */
  build(example: string, modules: string | undefined): readonly string[] {
    const artifacts = join(this.folder, '.icp/cache/artifacts');
    mkdirSync(artifacts, { recursive: true });
    const root = join(this.folder, 'examples', example);
    const missing = canistersBelow(root).filter(({ name, folder, main }) => {
      const output = join(artifacts, name);
      if (main !== undefined) {
        execFileSync(process.execPath, [COMPILE, folder, main, output], {
          stdio: ['ignore', 'inherit', 'inherit'],
        });
        return false;
      }
      const made =
        modules && [`${name}.wasm.gz`, `${name}.wasm`].map((file) => join(modules, file)).find(existsSync);
      if (made) copyFileSync(made, output);
      return !made;
    });
    const interfaceFile = join(root, `${example}.did`);
    const bindgen = join(this.folder, 'node_modules/.bin/icp-bindgen');
    execFileSync(bindgen, ['--did-file', interfaceFile, '--out-dir', root, '--actor-disabled', '--force'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return missing.map(({ name }) => name);
  }
}

/** The canisters of an example: of its own folder and of those below. */
function canistersBelow(root: string): readonly ExampleCanister[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('canister.yaml') && !file.includes('node_modules'))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const field = (name: string): string | undefined => new RegExp(`\\b${name}: *(\\S+)`).exec(text)?.[1];
      const isMotoko = text.includes('@dfinity/motoko@');
      return {
        name: field('name') ?? '',
        folder: join(root, dirname(file)),
        main: isMotoko ? field('main') : undefined,
      };
    });
}

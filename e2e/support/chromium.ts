import { spawnSync } from 'node:child_process';
import { accessSync, constants, statfsSync } from 'node:fs';
import path from 'node:path';
import { hasChromium, quietArgs, unpackChromium, unpackFonts, writeFontSettings } from '@cannery/browser';
import { howToInstall, missingLibrary } from '../../scripts/steps/missing-library.mjs';

export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** No browser runs on this machine; the message says what to install. */
class NoBrowserError extends Error {
  override readonly name = 'NoBrowserError';
}

/**
 * A Chromium to test with: CHROME_PATH, else the one inside the npm package `@sparticuz/chromium`, unpacked on first use
 * with its libraries, else one on the PATH. Each gets the fonts of that package and no others: pages measure the same on
 * every machine, also on one without fonts.
 * @param cache folder for the unpacked browser
 * @throws NoBrowserError where none runs
 */
export async function findChromium(cache: string): Promise<Browser> {
  const folder = path.join(cache, 'chromium');
  const fonts = { FONTCONFIG_FILE: await prepareFonts(folder) };
  const named = process.env['CHROME_PATH'];
  if (named) return { executablePath: named, args: quietArgs, env: fonts };
  let problem = `The one from npm is for linux-x64, this is ${process.platform}-${process.arch}.`;
  if (hasChromium) {
    const { program, libraries } = await unpackChromium(folder);
    const env = { ...fonts, LD_LIBRARY_PATH: path.join(folder, libraries) };
    const executablePath = path.join(folder, program);
    const trial = spawnSync(executablePath, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    if (trial.status === 0)
      return { executablePath, args: [...quietArgs, '--no-zygote', '--headless=shell'], env };
    problem = explained(trial.stderr || (trial.error?.message ?? 'it says nothing'));
  }
  const onPath = chromiumOnPath();
  if (onPath !== null) return { executablePath: onPath, args: quietArgs, env: fonts };
  throw new NoBrowserError(
    `No browser to test with. ${problem}\nOr install Chromium (Debian: sudo apt-get install chromium), or name one in CHROME_PATH.`,
  );
}

/** What the pages of several browsers share with their drawing process at most, in bytes. */
const ENOUGH_SHARED_MEMORY = 1024 ** 3;

/**
 * Whether /dev/shm has room for what browsers share in memory. Playwright has them make files for it elsewhere, since
 * containers often have little room there; on a disk those files take a tenth of the time of the tests.
 */
export function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize >= ENOUGH_SHARED_MEMORY;
  } catch {
    return false;
  }
}

function explained(output: string): string {
  const library = missingLibrary(output);
  return library === undefined
    ? `The one from npm does not run: ${output.trim()}`
    : `The one from npm needs ${library}. ${howToInstall(library)}`;
}

function chromiumOnPath(): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

/** @returns the configuration of fontconfig that names the fonts */
async function prepareFonts(folder: string): Promise<string> {
  const configuration = path.join(folder, 'only-these-fonts.conf');
  await writeFontSettings(configuration, {
    fonts: [await unpackFonts(folder)],
    cache: path.join(folder, 'fonts-cache'),
  });
  return configuration;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

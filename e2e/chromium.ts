import { execFileSync, spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { howToInstall, missingLibrary } from '../scripts/steps/missing-library.mjs';

export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** No browser runs on this machine; the message says what to install. */
export class NoBrowserError extends Error {
  override readonly name = 'NoBrowserError';
}

/** Nothing here weakens the page's own security: no sandbox as root, no calls home. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Folder of what the npm package brings, packed. The browser in it is for Linux on x64. */
const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));

/**
 * A Chromium to test with: CHROME_PATH, else the one inside the npm package `@sparticuz/chromium`, unpacked on first use
 * with its libraries, else one on the PATH. Each gets the fonts of that package and no others: pages measure the same on
 * every machine, also on one without fonts.
 * @param cache folder for the unpacked browser
 * @throws NoBrowserError where none runs
 */
export async function findChromium(cache: string): Promise<Browser> {
  const folder = path.join(cache, 'chromium');
  const fonts = { FONTCONFIG_FILE: await unpackFonts(folder) };
  const named = process.env['CHROME_PATH'];
  if (named) return { executablePath: named, args, env: fonts };
  let problem = `The one from npm is for linux-x64, this is ${process.platform}-${process.arch}.`;
  if (process.platform === 'linux' && process.arch === 'x64') {
    const env = { ...fonts, LD_LIBRARY_PATH: path.join(folder, 'lib') };
    const executablePath = await unpackBrowser(folder);
    const trial = spawnSync(executablePath, ['--version'], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
    if (trial.status === 0)
      return { executablePath, args: [...args, '--no-zygote', '--headless=shell'], env };
    problem = explained(trial.stderr || (trial.error?.message ?? 'it says nothing'));
  }
  const onPath = chromiumOnPath();
  if (onPath !== null) return { executablePath: onPath, args, env: fonts };
  throw new NoBrowserError(
    `No browser to test with. ${problem}\nOr install Chromium (Debian: sudo apt-get install chromium), or name one in CHROME_PATH.`,
  );
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

async function unpackBrowser(folder: string): Promise<string> {
  const binary = path.join(folder, 'chromium');
  if (existsSync(binary)) return binary;
  await unpackTar('al2023', folder);
  await unpack(path.join(packed, 'chromium.br'), `${binary}.new`, 0o755);
  renameSync(`${binary}.new`, binary);
  return binary;
}

/** @returns the configuration of fontconfig that names the fonts */
async function unpackFonts(folder: string): Promise<string> {
  const configuration = path.join(folder, 'only-these-fonts.conf');
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${inXml(path.join(folder, 'fonts'))}</dir>
  <cachedir>${inXml(path.join(folder, 'fonts-cache'))}</cachedir>
</fontconfig>
`;
  if (existsSync(configuration) && readFileSync(configuration, 'utf8') === text) return configuration;
  await unpackTar('fonts', folder);
  writeFileSync(configuration, text);
  return configuration;
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function unpackTar(name: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name}.tar`);
  await unpack(path.join(packed, `${name}.tar.br`), file);
  execFileSync('tar', ['-xf', file, '-C', folder]);
  rmSync(file);
}

async function unpack(from: string, to: string, mode = 0o644): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

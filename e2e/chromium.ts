import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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

/**
 * A Chromium to test with: CHROME_PATH, else one on the PATH, else the one inside the npm package
 * `@sparticuz/chromium`, unpacked on first use with the libraries it needs.
 * @param cache folder for the unpacked browser
 */
export async function findChromium(cache: string): Promise<Browser> {
  const named = process.env.CHROME_PATH;
  if (named) return { executablePath: named, args, env: {} };
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
      const file = path.join(folder, name);
      if (isExecutable(file)) return { executablePath: file, args, env: {} };
    }
  }
  return unpacked(cache);
}

async function unpacked(cache: string): Promise<Browser> {
  const directory = path.join(cache, 'chromium');
  const binary = path.join(directory, 'chromium');
  const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
  if (!existsSync(binary)) {
    mkdirSync(directory, { recursive: true });
    const libraries = path.join(directory, 'al2023.tar');
    await unpack(path.join(packed, 'al2023.tar.br'), libraries);
    execFileSync('tar', ['-xf', libraries, '-C', directory]);
    await unpack(path.join(packed, 'chromium.br'), `${binary}.new`, 0o755);
    renameSync(`${binary}.new`, binary);
  }
  return {
    executablePath: binary,
    args: [...args, '--no-zygote', '--headless=shell'],
    env: { LD_LIBRARY_PATH: path.join(directory, 'lib') },
  };
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

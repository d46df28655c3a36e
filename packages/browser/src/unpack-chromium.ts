import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';

/** A Chromium with what it needs beside it, in one folder. */
export interface UnpackedChromium {
  readonly folder: string;
  /** Names inside the folder. */
  readonly program: 'chromium';
  readonly libraries: 'lib';
  readonly fonts: 'fonts';
}

/** Whether the browser that comes with the npm package `@sparticuz/chromium` is one for this machine. */
export const hasChromium = process.platform === 'linux' && process.arch === 'x64';

/** Arguments of a browser that asks nobody but the page: no calls home. It may run as root. */
export const quietArgs: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const run = promisify(execFile);
/** Folder of what the package brings, packed. */
const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
const names = { program: 'chromium', libraries: 'lib', fonts: 'fonts' } as const;

/**
 * Unpacks the browser of the npm package on first use, which takes some seconds. Several processes may do it at a time.
 * @param folder where it goes; it stays there
 */
export async function unpackChromium(folder: string): Promise<UnpackedChromium> {
  const program = path.join(folder, names.program);
  if (!existsSync(program)) {
    await unpackTar('al2023', folder);
    await unpackFonts(folder);
    // The program comes last: where it is, all of it is.
    const incoming = `${program}.${randomUUID()}`;
    await unpack(path.join(packed, 'chromium.br'), incoming, 0o755);
    await rename(incoming, program);
  }
  return { folder, ...names };
}

/** Unpacks the fonts of the npm package, which serve on every machine. @returns their folder */
export async function unpackFonts(folder: string): Promise<string> {
  const fonts = path.join(folder, names.fonts);
  if (!existsSync(fonts)) await unpackTar('fonts', folder);
  return fonts;
}

/**
 * Writes a configuration of fontconfig with these folders and no others.
 * @param file where it is written, unless it is there already
 * @param folders of fonts, and the one for its cache, as the browser sees them
 */
export async function writeFontSettings(
  file: string,
  { fonts, cache }: { readonly fonts: readonly string[]; readonly cache: string },
): Promise<void> {
  const text = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${fonts.map((folder) => `  <dir>${inXml(folder)}</dir>`).join('\n')}
  <cachedir>${inXml(cache)}</cachedir>
</fontconfig>
`;
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text);
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function unpackTar(name: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${name}.${randomUUID()}.tar`);
  await unpack(path.join(packed, `${name}.tar.br`), file);
  await run('tar', ['-xf', file, '-C', folder]);
  await rm(file);
}

async function unpack(from: string, to: string, mode = 0o644): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));
}

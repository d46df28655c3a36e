import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  hasChromium,
  quietArgs,
  type UnpackedChromium,
  unpackChromium,
  writeFontSettings,
} from '@cannery/browser';
import { programsSeen, wayAddress } from '../builders/sandbox/root-plan.ts';
import { readFromCheckout } from '../builders/source/safe-files.ts';
import type { Sandbox } from '../builders/sandbox/sandbox.ts';
import { openWorkspace, type Workspace, type WorkspaceMachine } from '../builders/disks/workspace.ts';
import { type EgressHost, operatorHost } from '../egress/egress-host.ts';
import type { EgressProxy } from '../egress/egress-proxy.ts';
import { redrawAs } from '../picture/redraw-picture.ts';

/** Pixels of a picture: twice its largest place, which is 320 px wide, in the form of the window that it was taken in. */
const SIZE = { width: 640, height: 400 };
/** Bytes of the picture as the browser writes it. */
const MOST_BYTES = 8 * 1024 * 1024;
/** How long all of it may take, in milliseconds; a page gets 13 s of it, see drive-browser.mjs. */
const TIMEOUT_MS = 30_000;
/** What the page of a site may use of the network. */
const LIMITS = { connections: 32, bytes: 64 * 1024 ** 2, idleMs: 10_000, connectMs: 5_000 };

/** What a page may take of the machine, its browser with it. */
const STEP_LIMITS = {
  memoryBytes: 768 * 1024 ** 2,
  processes: 400,
  diskBytes: 128 * 1024 ** 2,
  entries: 10_000,
};
/** Megabytes that scripts of a page may keep, so that a page that asks for more ends without the whole browser. */
const SCRIPT_MEGABYTES = 256;

/** Where the step sees files of the server. */
const DRIVER = '/opt/cannery/drive-browser.mjs';
const FONTS = '/opt/cannery/fonts.conf';
/** Name in the folder that a step sees as its checkout. */
const PICTURE = 'picture.png';
/** What is kept of what a browser says that fails: lines, and characters of one. */
const MOST_LINES = 5;
const LINE_LENGTH = 300;

const driver = fileURLToPath(new URL('./drive-browser.mjs', import.meta.url));
/** Where the browser is unpacked: the place of the tests' browser, which is the same one. */
export const unpackedBrowser = fileURLToPath(new URL('../../../../.cache/chromium', import.meta.url));

/** The browser: it keeps nothing, and calls nobody but the page. The sandbox of the step is its sandbox. */
const BROWSER_ARGS = [
  ...quietArgs,
  '--headless=shell',
  '--remote-debugging-pipe',
  '--no-zygote',
  // One for the page, and one for a frame of another site.
  '--renderer-process-limit=2',
  `--js-flags=--max-old-space-size=${SCRIPT_MEGABYTES}`,
  '--disable-extensions',
  '--block-new-web-contents',
  '--deny-permission-prompts',
  '--hide-scrollbars',
  '--mute-audio',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  `--proxy-server=${wayAddress}`,
  // Names of this machine are reached through the way out, too.
  '--proxy-bypass-list=<-loopback>',
];

/** A page of which no picture could be taken. */
class NoPictureError extends Error {
  override readonly name = 'NoPictureError';
}

/** What pictures are taken with. */
export interface Studio extends WorkspaceMachine {
  readonly sandbox: Sandbox;
  readonly egress: Pick<EgressProxy, 'open'>;
  /** How long a picture may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Whether pictures can be taken on this machine: there is a browser for it, and a sandbox with a separate root and network. */
export function canTakePictures({ sandbox }: Pick<Studio, 'sandbox'>): boolean {
  return hasChromium && sandbox.ownRoot;
}

/**
 * Opens a page of a tenant's in a browser and takes a picture of its first screen. The browser runs in the sandbox of builds and
 * reaches the host of the page only; what it writes is read as a stranger's picture, and drawn again.
 * @returns a JPEG of 640 by 400 pixels
 * @throws NoPictureError when the page does not open, or breaks a limit; PictureError for what is none
 */
export async function takePicture(
  { timeoutMs = TIMEOUT_MS, ...studio }: Studio,
  address: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const host = operatorHost(address, 'host');
  if (host === null) throw new NoPictureError('The address of the site is no http address.');
  const chromium = await unpackChromium(unpackedBrowser);
  const folders = await openWorkspace(studio, {
    owner: 'pictures',
    id: `picture-${randomUUID()}`,
    limits: { bytes: STEP_LIMITS.diskBytes, entries: STEP_LIMITS.entries },
    reserve: { signal, onWait: () => undefined },
  });
  const { sandbox, egress } = studio;
  try {
    const fonts = join(folders.root, 'fonts.conf');
    await writeFontSettings(fonts, {
      fonts: [`${programsSeen(0)}/${chromium.fonts}`, '/usr/share/fonts'],
      cache: '/tmp/fonts',
    });
    await openPage({ fonts, sandbox, egress, folders, chromium, host, address, timeoutMs, signal });
    const taken = await readFromCheckout(folders.source, PICTURE, MOST_BYTES);
    return await redrawAs({ bytes: taken, tenant: 'pictures of sites' }, SIZE);
  } finally {
    await folders.remove();
  }
}

interface Opening {
  readonly sandbox: Sandbox;
  readonly egress: Pick<EgressProxy, 'open'>;
  readonly folders: Workspace;
  /** File with the settings of fonts. */
  readonly fonts: string;
  readonly chromium: UnpackedChromium;
  readonly host: EgressHost;
  readonly address: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function openPage(opening: Opening): Promise<void> {
  const { sandbox, egress, folders, fonts, chromium, host, address, timeoutMs, signal } = opening;
  const seen = programsSeen(0);
  const way = await egress.open({ hosts: [host], at: 'socket', limits: LIMITS });
  const said: string[] = [];
  try {
    const { exitCode, stopped } = await sandbox.run(folders, {
      argv: ['node', DRIVER, address, PICTURE, `${seen}/${chromium.program}`, ...BROWSER_ARGS],
      env: {
        LD_LIBRARY_PATH: `${seen}/${chromium.libraries}`,
        FONTCONFIG_FILE: FONTS,
      },
      files: new Map([
        [DRIVER, driver],
        [FONTS, fonts],
      ]),
      way: way.address,
      programs: [{ disk: chromium.folder, bin: '.' }],
      limits: STEP_LIMITS,
      timeoutMs,
      signal,
      onLine: (line) => {
        if (said.length < MOST_LINES) said.push(line.slice(0, LINE_LENGTH));
      },
    });
    if (exitCode !== 0) throw new NoPictureError(stopped ?? said.join(' '));
  } finally {
    await way.close();
  }
}

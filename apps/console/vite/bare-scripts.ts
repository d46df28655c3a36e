import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';

/** A line that holds nothing or a comment alone, and the blanks before what a line holds. */
const IDLE = /^[ \t]*(?:\/\/.*)?(?:\n|$)|^[ \t]+/gm;

/**
 * Takes comments and indentation out of the scripts of `public`, which are copied as they are: every first load waits for `boot.js`. None of
 * them has a text of several lines.
 */
export const bareScripts: Plugin = {
  name: 'cannery-bare-scripts',
  async writeBundle({ dir = '' }) {
    const scripts = (await readdir(dir)).filter((name) => name.endsWith('.js'));
    await Promise.all(
      scripts.map(async (name) => {
        const file = path.join(dir, name);
        await writeFile(file, (await readFile(file, 'utf8')).replaceAll(IDLE, ''));
      }),
    );
  },
};

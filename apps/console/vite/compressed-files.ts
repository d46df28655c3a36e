import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/** Files from this size on are compressed, in bytes: below it that saves no packet (`static-files.ts`). */
const LARGE = 1_024;
/** Parts that few people open, for which nobody has to wait when the console is built. */
const SELDOM = /assets\/(demo|documentation)-/;

/**
 * Lays beside the scripts and style sheets what the best compression makes of them, `.br`. It takes a second for the largest and saves a
 * fifteenth, so the build does it once instead of the server with each start (`static-files.ts`). It is done with what has been written:
 * until then other plugins change the code.
 */
export const compressedFiles: Plugin = {
  name: 'cannery-compressed-files',
  async writeBundle({ dir = '' }, bundle) {
    const large = Object.values(bundle).flatMap((file) => {
      if (!/\.(js|css)$/.test(file.fileName) || SELDOM.test(file.fileName)) return [];
      const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
      return bytes.length < LARGE ? [] : [{ name: file.fileName, bytes }];
    });
    await Promise.all(
      large.map(async ({ name, bytes }) => {
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        };
        await writeFile(path.join(dir, `${name}.br`), await compress(bytes, { params }));
      }),
    );
  },
};

// Builds the site: every page of src/pages is put into the layout and written to dist, all other files are copied.
// Plain Node, no packages: `node build.mjs`.
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SOURCE = 'src';
const TARGET = 'dist';

const layout = await readFile(join(SOURCE, 'layout.html'), 'utf8');

await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });

for (const folder of ['styles', 'scripts', 'images']) {
  await cp(join(SOURCE, folder), join(TARGET, folder), { recursive: true });
}
await cp(join(SOURCE, 'favicon.svg'), join(TARGET, 'favicon.svg'));

const pages = await readdir(join(SOURCE, 'pages'));
for (const page of pages) {
  const text = await readFile(join(SOURCE, 'pages', page), 'utf8');
  // The first line of a page is its title, in a comment.
  const [, title = 'Untitled', content = text] = /^<!--\s*(.*?)\s*-->\n([\s\S]*)$/.exec(text) ?? [];
  const path = page === 'index.html' ? '/' : `/${page.replace(/\.html$/, '')}`;
  const html = layout
    .replaceAll('{{title}}', () => title)
    .replaceAll('{{year}}', () => String(new Date().getFullYear()))
    .replaceAll(`href="${path}"`, () => `href="${path}" aria-current="page"`)
    .replace('{{content}}', () => content);
  await writeFile(join(TARGET, page), html);
  process.stdout.write(`${join(TARGET, page)}  ${html.length} bytes\n`);
}
process.stdout.write(`Built ${pages.length} pages.\n`);

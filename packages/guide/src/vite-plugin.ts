import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Block, plainText } from './blocks.ts';
import { type Guide, type GuideChapter, readGuide } from './guide.ts';
import { sectionsOf } from './sections.ts';

const PREFIX = 'virtual:guide/';

/** What of Vite's plugin interface is used here. */
interface GuidePlugin {
  readonly name: string;
  buildStart(): void;
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
}

/** The pictures of blocks, as their text names them. */
function picturesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'paragraph')
      return block.children.flatMap((inline) => (inline.type === 'image' ? [inline.src] : []));
    if (block.type === 'list') return picturesOf(block.items.flat());
    return block.type === 'quote' ? picturesOf(block.blocks) : [];
  });
}

/** Width and height in pixels, from the header of a PNG (W3C PNG specification, 11.2.1). */
function sizeOf(file: string): { width: number; height: number } {
  const bytes = readFileSync(file);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function chapterModule({ file, name, title, blocks }: GuideChapter): string {
  // One that is still to be taken is left out; a test of the guide misses it.
  const pictures = [...new Set(picturesOf(blocks))]
    .map((src) => ({ src, file: path.resolve(file, '..', src) }))
    .filter((picture) => existsSync(picture.file));
  const imports = pictures.map(
    ({ file: from }, index) => `import p${index} from ${JSON.stringify(`${from}?url`)};`,
  );
  const table = pictures.map(
    ({ src, file: from }, index) =>
      `${JSON.stringify(src)}: { url: p${index}, ...${JSON.stringify(sizeOf(from))} }`,
  );
  return `${imports.join('\n')}
export const pictures = { ${table.join(', ')} };
export const chapter = ${JSON.stringify({ name, title, blocks })};`;
}

function contentsModule({ groups, chapters }: Guide): string {
  const loaders = [...chapters.keys()].map(
    (name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(`${PREFIX}chapter/${name}`)})`,
  );
  return `export const groups = ${JSON.stringify(groups)};
export const chapters = { ${loaders.join(',\n')} };`;
}

/** What names the newest entry of a chapter of dates with lists below them: the first date, and how many entries it has. */
function newestOf(chapter: GuideChapter | undefined): string {
  const blocks = chapter?.blocks ?? [];
  const [heading, list] = ['heading', 'list'].map((type) => blocks.find((block) => block.type === type));
  const date = heading?.type === 'heading' ? plainText(heading.children) : '';
  return `${date}, ${list?.type === 'list' ? list.items.length : 0}`;
}

/**
 * Gives the console the guide as data, so that the browser needs no parser and gets no HTML: `virtual:guide/contents`
 * (what there is, and how each chapter is loaded), `virtual:guide/chapter/{name}`, `virtual:guide/search`
 * and `virtual:guide/news`.
 * @param folder of the guide's `README.md`
 */
export function guidePlugin(folder: string): GuidePlugin {
  let guide: Guide = { groups: [], chapters: new Map() };
  return {
    name: 'cannery-guide',
    buildStart: () => {
      guide = readGuide(folder);
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load: (id) => {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const name = id.slice(PREFIX.length + 1);
      if (name === 'contents') return contentsModule(guide);
      if (name === 'search') {
        return `export const sections = ${JSON.stringify([...guide.chapters.values()].flatMap(sectionsOf))};`;
      }
      if (name === 'news')
        return `export const newest = ${JSON.stringify(newestOf(guide.chapters.get('what-is-new')))};`;
      const chapter = guide.chapters.get(name.replace('chapter/', ''));
      return chapter && chapterModule(chapter);
    },
  };
}

import { type Figure, type Section, type Spread, spreadOf } from '../figures.ts';
import {
  CANDID_PAGE,
  CONSOLE_PAGE,
  FOLLOWING,
  OTHER_PAGES,
  PRODUCT_PAGES,
  SIGNED_IN,
} from './bundled-pages.ts';
import { buildConsole, type ConsoleBuild } from './console-build.ts';
import { apartIn, type FileNames, filesOf, weigh } from './page-files.ts';

type Report = (figure: Figure) => void;

const KIB = 1024;
/** What a route may add, gzipped; KiB. */
const MOST_ADDED = 60;
/** What the sign-in page may load, gzipped, its style sheet included; KiB. */
const MOST_OF_LOGIN = 130;
/** How many modules a note names. */
const NAMED = 4;
/** All chapters are of one kind; the page of the first one is measured. */
const CHAPTER = /^virtual:guide\/chapter\//;
const exactly = (value: number) => spreadOf([value]);

/** What the pages of the console load, by the bundler's own account of which module it put where. No browser, no product. */
export const bundle: Section = {
  title: 'Bundle',
  async run(report) {
    const built = await buildConsole();
    expectAllListed(built);
    const shell = filesOf(built, [CONSOLE_PAGE, ...SIGNED_IN]);
    const first = new Map([['/login', filesOf(built, [CONSOLE_PAGE])]]);
    for (const { address, modules } of PRODUCT_PAGES)
      first.set(address, shell.union(filesOf(built, modules)));
    first.set('/candid/', filesOf(built, [CANDID_PAGE]));
    for (const [address, files] of first) {
      const { raw, gzipped } = weigh(built, files);
      report({
        what: `first load of ${address}, gzipped`,
        unit: 'KiB',
        spread: exactly(gzipped / KIB),
        ...(address === '/login' ? { goal: { atMost: MOST_OF_LOGIN } } : {}),
        note: `${Math.round(raw / KIB)} KiB raw, ${files.size} files`,
      });
    }
    reportApart(built, report, first);
    for (const { address, modules } of [...PRODUCT_PAGES, ...OTHER_PAGES]) {
      const goal = { atMost: MOST_ADDED };
      report({ what: `${address} adds, gzipped`, unit: 'KiB', spread: added(built, modules, shell), goal });
    }
    for (const { what, modules } of FOLLOWING)
      report({ what: `what follows: ${what}, gzipped`, unit: 'KiB', spread: added(built, modules, shell) });
  },
};

/** What modules add to the files that are there already, gzipped; KiB. */
function added(built: ConsoleBuild, modules: readonly string[], there: FileNames): Spread {
  return exactly(weigh(built, filesOf(built, modules).difference(there)).gzipped / KIB);
}

/** @throws Error for a module that is loaded by `import()` and that no list of pages names, since nothing would weigh it. */
function expectAllListed({ loadedLater }: ConsoleBuild): void {
  const listed = [...PRODUCT_PAGES, ...OTHER_PAGES, ...FOLLOWING].flatMap(({ modules }) => modules);
  const known = new Set([...SIGNED_IN, ...listed]);
  const unknown = loadedLater.filter((module) => !known.has(module) && !CHAPTER.test(module));
  if (unknown.length > 0) throw new Error(`bundled-pages.ts does not list ${unknown.join(', ')}.`);
}

/** What stands apart, in the first load of all these pages. */
function reportApart(built: ConsoleBuild, report: Report, pages: ReadonlyMap<string, FileNames>): void {
  const found = [...pages].flatMap(([address, files]) =>
    apartIn(built, files).map((each) => ({ address, ...each })),
  );
  const named = found.slice(0, NAMED).map(({ address, module, bytes }) => `${address}: ${module} ${bytes}`);
  report({
    what: 'template shell, documentation, and libraries for calendar, chart and map in all of these',
    unit: 'bytes',
    spread: exactly(found.reduce((sum, { bytes }) => sum + bytes, 0)),
    goal: { atMost: 0 },
    note: found.length > NAMED ? `${named.join(', ')} and ${found.length - NAMED} more` : named.join(', '),
  });
}

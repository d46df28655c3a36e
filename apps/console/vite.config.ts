import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guidePlugin } from '@cannery/guide';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { bareScripts } from './vite/bare-scripts.ts';
import { compressedFiles } from './vite/compressed-files.ts';
import { kitOf } from './vite/kit-parts.ts';
import { noJsonSchema } from './vite/no-json-schema.ts';

const page = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const candidPage = page('./candid/index.html');
/** What of src/lib talks to the service, and so needs the contract's schemas. */
const calls = /src\/lib\/(api\/|session\/(current-session|session))/;
/** What every page needs, /login included. */
const base =
  /src\/((lib|config)\/(?!chapters|route-table|unknown|table\/|text\/(ansi|byte-size|cycles|deploy-|public-address|repository-links)|shared\/deploy-|browser\/(answered-canister|upload-bytes))|components\/ui\/(cannery-mark|page-loader|button|spinner|error-boundary|lazy-page|page-failure)|components\/connection\/use-try-again)/;

/** What every page of a signed-in user needs besides: /login shows no toast and no date, and hears no news. */
const signedIn =
  /src\/config\/(chapters|route-table|unknown)|src\/lib\/(toasts\/|live\/|table\/|text\/(?!public-address)|browser\/(away|save-text|use-settled|use-size|wake)|shared\/(argument-draft|registries))/;
/** What Vite adds to load a file by `import()`; every page needs it. */
const loader = /vite\/preload-helper/;

/** What two or three pages share comes with each of them; what more share is a file. */
const MANY_PAGES = 3;

/** Chunks by what is needed together; /login needs react, router and base only. */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\// },
  {
    name: 'router',
    test: /node_modules\/@tanstack\/(react-router|router-core|history|react-store|store)\//,
  },
  {
    name: 'contract',
    // One page alone makes the calls of the network.
    test: (id: string) =>
      /node_modules\/zod\/|packages\/contract\/src\/(?!network)/.test(id) || calls.test(id),
  },
  {
    name: 'query',
    test: /node_modules\/@tanstack\/(react-query|query-core)\/|src\/lib\/shared\/(public-config|query-keys|deploys\.|account)/,
  },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\// },
  {
    name: kitOf,
    debugName: 'kit',
    test: /node_modules\/(@base-ui|@floating-ui|lucide-react|tabbable|reselect)\//,
  },
  // Names of canisters, for the pages of some: one file, since most pages need none.
  { name: 'system', test: /src\/(lib\/shared|components\/ui)\/system-/ },
  { name: 'signed-in', test: signedIn },
  { name: 'base', test: (id: string) => loader.test(id) || (base.test(id) && !calls.test(id)) },
  {
    name: 'parts',
    test: /src\/components\/(ui\/(?!picker|menu-parts)|connection|chart)/,
    minShareCount: MANY_PAGES,
  },
  {
    name: 'shared',
    test: /src\/features\/(?!demo\/|documentation\/|canister\/(install|create)\/)/,
    minShareCount: MANY_PAGES,
  },
];

/** The template shell, and the packages that only it uses. */
const demo =
  /src\/features\/demo\/|node_modules\/(react-day-picker|date-fns|@date-fns|d3-[a-z]+|internmap|topojson-client|world-atlas)\//;

/** A chunk that holds anything of the template shell says so in its name: no page but its own may ask for such a file. */
const fileNameOf = ({ moduleIds }: { moduleIds: string[] }): string =>
  moduleIds.some((id) => demo.test(id)) ? 'assets/demo-[name]-[hash].js' : 'assets/[name]-[hash].js';

/** What a TopoJSON file has, as far as it is changed here. */
interface Atlas {
  readonly objects: { readonly countries: unknown };
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly transform: { readonly scale: readonly number[] };
}

/** Steps of the atlas that become one, 0.04 degrees of longitude: less than a tenth of a pixel of the map. */
const COARSER = 10;

/** A line of the atlas, steps from point to point, in coarser steps and without those that go nowhere. */
function coarser(line: readonly (readonly [number, number])[]): [number, number][] {
  const points = line.reduce<[number, number][]>((sum, [x, y]) => {
    const [fromX, fromY] = sum.at(-1) ?? [0, 0];
    return [...sum, [fromX + x, fromY + y]];
  }, []);
  const rounded = points.map(([x, y]) => [Math.round(x / COARSER), Math.round(y / COARSER)] as const);
  return rounded.flatMap(([x, y], index): [number, number][] => {
    const [fromX, fromY] = rounded[index - 1] ?? [0, 0];
    const last = index === rounded.length - 1;
    return index > 0 && !last && x === fromX && y === fromY ? [] : [[x - fromX, y - fromY]];
  });
}

/** The outlines of countries without the steps that are too fine for the map, a quarter of their bytes. */
const smallerAtlas: Plugin = {
  name: 'cannery-atlas',
  enforce: 'pre',
  transform: {
    filter: { id: /world-atlas\/countries-110m\.json$/ },
    handler: (text) => {
      const { objects, arcs, transform, ...rest } = JSON.parse(text) as Atlas;
      return JSON.stringify({
        ...rest,
        objects: { countries: objects.countries },
        arcs: arcs.map(coarser),
        transform: { ...transform, scale: transform.scale.map((step) => step * COARSER) },
      });
    },
  },
};

/**
 * Refuses chunks that import each other in a circle: the first one that runs would use what the other has not made yet, and
 * the page would stay white. Groups of chunks can form such a circle where the files have none.
 */
const noCircles: Plugin = {
  name: 'cannery-no-circles',
  generateBundle(_options, bundle) {
    const done = new Set<string>();
    const walk = (name: string, way: readonly string[]): void => {
      if (way.includes(name)) this.error(`Chunks import each other: ${[...way, name].join(' -> ')}`);
      if (done.has(name)) return;
      const chunk = bundle[name];
      if (chunk?.type === 'chunk') for (const next of chunk.imports) walk(next, [...way, name]);
      done.add(name);
    };
    for (const name of Object.keys(bundle)) walk(name, []);
  },
};

const server = process.env['CANNERY_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  root: page('.'),
  base: '/',
  plugins: [
    smallerAtlas,
    noJsonSchema,
    react(),
    tailwindcss(),
    guidePlugin(page('../../docs/guide')),
    noCircles,
    bareScripts,
    compressedFiles,
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every asset stays a file: the page's policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: existsSync(candidPage) ? [page('./index.html'), candidPage] : [page('./index.html')],
      // Nothing happens where these are loaded: /login, which takes one constant of the first, does without, and most pages do of the other.
      treeshake: {
        moduleSideEffects: [{ test: /src\/lib\/text\/|contract\/src\/network/, sideEffects: false }],
      },
      output: {
        chunkFileNames: fileNameOf,
        entryFileNames: fileNameOf,
        codeSplitting: { includeDependenciesRecursively: false, groups },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['^/(api|auth|oidc|sign-in)(/|$)', '^/[^/]+/[^/]+\\.git/'].map((path) => [
        path,
        { target: server, changeOrigin: false },
      ]),
    ),
  },
});

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { guidePlugin } from '@cannery/guide';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const page = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const candidPage = page('./candid/index.html');
/** What of src/lib talks to the service, and so needs the contract's schemas. */
const calls = /src\/lib\/(api|current-session|describe|ask-once|read-answer|session)/;
/** What every page needs, /login included. */
const base =
  /src\/((lib|config)\/(?!cycles|deploy-|public-address|repository-links|sort|text-order|paging|known-rows|byte-size|upload-bytes)|components\/ui\/(cannery-mark|page-loader|button-class))/;

/** Chunks by what is needed together; /login needs react, router and base only. */
const groups = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\// },
  {
    name: 'router',
    test: /node_modules\/@tanstack\/(react-router|router-core|history|react-store|store)\//,
  },
  {
    name: 'contract',
    test: (id: string) => /node_modules\/zod\/|packages\/contract\/src\//.test(id) || calls.test(id),
  },
  {
    name: 'query',
    test: /node_modules\/@tanstack\/(react-query|query-core)\/|src\/lib\/(public-config|query-keys|registries)/,
  },
  { name: 'forms', test: /node_modules\/(react-hook-form|@hookform)\// },
  { name: 'kit', test: /node_modules\/(@base-ui|@floating-ui|lucide-react|tabbable|reselect)\// },
  { name: 'base', test: (id: string) => base.test(id) && !calls.test(id) },
  { name: 'parts', test: /src\/components\/ui\//, minShareCount: 3 },
];

/** The template shell, and the packages that only it uses. */
const demo =
  /src\/features\/demo\/|node_modules\/(react-day-picker|date-fns|@date-fns|d3-[a-z]+|internmap|topojson-client|world-atlas)\//;

/** A chunk that holds anything of the template shell says so in its name: no page but its own may ask for such a file. */
const fileNameOf = ({ moduleIds }: { moduleIds: string[] }): string =>
  moduleIds.some((id) => demo.test(id)) ? 'assets/demo-[name]-[hash].js' : 'assets/[name]-[hash].js';

const server = process.env['CANNERY_URL'] ?? 'http://localhost:4000';

export default defineConfig({
  root: page('.'),
  base: '/',
  plugins: [react(), tailwindcss(), guidePlugin(page('../../docs/guide'))],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Every asset stays a file: the page's policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: existsSync(candidPage) ? [page('./index.html'), candidPage] : [page('./index.html')],
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

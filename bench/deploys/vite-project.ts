import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** Where the console names the same packages. */
const consoleSettings = new URL('../../apps/console/package.json', import.meta.url);

/** How many modules the site is made of, so that the bundler has something to do. */
const MODULES = 60;

/** What else the template of create-vite installs. */
const LINT = {
  '@eslint/js': '^9.39.0',
  eslint: '^9.39.0',
  'eslint-plugin-react-hooks': '^7.0.0',
  'eslint-plugin-react-refresh': '^0.4.24',
  globals: '^16.5.0',
};

/** Versions of these packages that the console has, by their names. */
function versionsOf(...names: string[]): Record<string, string> {
  const settings = JSON.parse(readFileSync(consoleSettings, 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    Record<string, string>
  >;
  const all = { ...settings.dependencies, ...settings.devDependencies };
  return Object.fromEntries(names.map((name) => [name, all[name] ?? '*']));
}

/** A Vite site as `create-vite` makes it for React, with some modules more, and the lock file of the registry in use. */
export interface ViteProject {
  readonly folder: string;
  /** What the build command of a deploy is. */
  readonly command: string;
  readonly published: string;
  /** Changes what the page says. */
  changeSource(text: string): void;
  /** Changes the lock file, so that packages that an earlier build has installed do not fit. */
  changeLock(version: string): void;
}

/** Writes the project into an empty folder. @param npm npm's script */
export async function writeViteProject(folder: string, npm: string): Promise<ViteProject> {
  const settings = {
    name: 'bench-site',
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: { build: 'vite build' },
    dependencies: versionsOf('react', 'react-dom'),
    devDependencies: { ...versionsOf('vite', '@vitejs/plugin-react'), ...LINT },
  };
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  write('package.json', `${JSON.stringify(settings, null, 2)}\n`);
  write('.gitignore', 'node_modules\ndist\n');
  write(
    'vite.config.js',
    "import react from '@vitejs/plugin-react';\nexport default { plugins: [react()] };\n",
  );
  write(
    'index.html',
    '<!doctype html><title>Bench</title><div id="root"></div><script type="module" src="/src/main.jsx"></script>\n',
  );
  const numbers = Array.from({ length: MODULES }, (_, number) => number);
  for (const number of numbers)
    write(
      `src/part-${number}.jsx`,
      `export function Part${number}({ name }) { return <section><h2>{name} ${number}</h2><p>Peaches in cans</p></section>; }\n`,
    );
  const imports = numbers.map((number) => `import { Part${number} } from './part-${number}.jsx';`).join('\n');
  const parts = numbers.map((number) => `<Part${number} name={text} />`).join('');
  write(
    'src/main.jsx',
    `import { createRoot } from 'react-dom/client';\nimport { text } from './text.js';\n${imports}\n` +
      `createRoot(document.getElementById('root')).render(<main>${parts}</main>);\n`,
  );
  const changeSource = (text: string): void => write('src/text.js', `export const text = '${text}';\n`);
  changeSource('first');
  const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  // A lock file with addresses, as most projects have it: npm then asks the registry for nothing that is in its cache.
  const env = { ...process.env, npm_config_omit_lockfile_registry_resolved: 'false' };
  await execute(process.execPath, [npm, 'install', ...flags], { cwd: folder, env });
  return {
    folder,
    command: 'npm ci && npm run build',
    published: 'dist',
    changeSource,
    changeLock(version) {
      for (const file of ['package.json', 'package-lock.json']) {
        const content = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { version: string };
        write(file, `${JSON.stringify({ ...content, version }, null, 2)}\n`);
      }
    },
  };
}

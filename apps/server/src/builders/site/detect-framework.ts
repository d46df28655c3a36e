import { posix } from 'node:path';
import type { DeployType } from '@cannery/contract';
import {
  chooseTool,
  type LockFile,
  lockFiles,
  NO_TOOLS,
  type ToolName,
} from '../packages/npm/choose-tool.ts';
import type { LikelyRoot } from '../source/likely-roots.ts';
import { fittingType, KIND_TEXTS, nothingText } from './other-kinds.ts';
import { ENDINGS, type Project, readProject } from './site-project.ts';
import { siteRoots } from './site-roots.ts';
import { STATED_IN, statedBuild } from './stated-build.ts';
import { NEXT_EXPORT } from './write-site-tools.ts';

/** What a repository is known by. */
export interface RepositoryLook {
  /** Paths of its files; a long list may be cut. */
  readonly paths: readonly string[];
  /** Texts of package.json files and of settings of site generators, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files at the root of the repository, where a folder of it is looked at: it may belong to a workspace. */
  readonly above?: Pick<RepositoryLook, 'paths' | 'texts'>;
}

/** How a repository becomes a site. */
export interface DetectedSite extends Recognised {
  /** Folders that may be meant as the root directory instead. */
  readonly roots: readonly LikelyRoot[];
  /** What to do, as sentences, where nothing was recognised; else null. */
  readonly advice: string | null;
  /** The type that deploys what is there, where that is no website; else null. */
  readonly betterType: DeployType | null;
}

/** What was recognised. */
interface Recognised {
  /** Null when nothing that builds or is a site was recognised. */
  readonly framework: string | null;
  /** A sentence without its full stop. */
  readonly why: string;
  readonly buildCommand: string;
  /** Relative to the repository; empty for the repository itself. */
  readonly publishDirectory: string;
  readonly nodeVersion: string | null;
  readonly packageManager: ToolName | null;
}

interface Framework {
  readonly name: string;
  /** The package that it is known by. */
  readonly by: string;
  /** The command that builds a static site, as it is in a script or, where none does, after npx. */
  readonly command: string;
  readonly folder: string | ((project: Project) => string);
  /** Whether projects that are no site have the package, too, to make a library or to test it. */
  readonly alsoOfLibraries?: true;
  /** A command that has to run before the one that builds; null for none. */
  readonly before?: (project: Project) => string | null;
}

/** Characters of the settings `build` of Vite in which its folder is looked for. */
const BUILD_SETTINGS = 1_000;

/** The value of a setting where it is a plain text, such as `outDir: 'public'`. */
function setting(text: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}["']?\\s{0,9}[:=]\\s{0,9}["'\`]([\\w./@-]{1,100})["'\`]`).exec(text);
  return found?.[1]?.replace(/^\.\//, '').replace(/\/$/, '');
}

/** The folder that a command of a script works in: `vitepress build docs` has its site in docs. */
function argument(project: Project, command: string): string {
  const text = [...project.scripts.values()].find((script) => script.includes(command)) ?? '';
  const rest = text.slice(text.indexOf(command) + command.length);
  return /^\s+([\w][\w./-]{0,100})/.exec(rest)?.[1]?.replace(/\/$/, '') ?? '';
}

/** More particular ones first: most are made of those below them. */
const FRAMEWORKS: readonly Framework[] = [
  { name: 'Docusaurus', by: '@docusaurus/core', command: 'docusaurus build', folder: 'build' },
  {
    name: 'VitePress',
    by: 'vitepress',
    command: 'vitepress build',
    folder: (project) => posix.join(argument(project, 'vitepress build'), '.vitepress/dist'),
  },
  {
    name: 'Astro',
    by: 'astro',
    command: 'astro build',
    folder: (project) => setting(project.settings('astro.config'), 'outDir') ?? 'dist',
    alsoOfLibraries: true,
  },
  {
    name: 'SvelteKit',
    by: '@sveltejs/kit',
    command: 'vite build',
    folder: (project) =>
      setting(`${project.settings('svelte.config')}\n${project.settings('vite.config')}`, 'pages') ?? 'build',
  },
  { name: 'Nuxt', by: 'nuxt', command: 'nuxt generate', folder: '.output/public' },
  {
    name: 'Next.js',
    by: 'next',
    command: 'next build',
    folder: (project) => setting(project.settings('next.config'), 'distDir') ?? 'out',
    before: (project) => (isExported(project) ? null : NEXT_EXPORT),
  },
  { name: 'Gatsby', by: 'gatsby', command: 'gatsby build', folder: 'public' },
  {
    name: 'Eleventy',
    by: '@11ty/eleventy',
    command: 'eleventy',
    folder: (project) =>
      /--output[= ]([\w./-]{1,100})/.exec([...project.scripts.values()].join('\n'))?.[1] ??
      setting(`${project.settings('.eleventy')}\n${project.settings('eleventy.config')}`, 'output') ??
      '_site',
  },
  { name: 'Create React App', by: 'react-scripts', command: 'react-scripts build', folder: 'build' },
  { name: 'Angular', by: '@angular/core', command: 'ng build', folder: angularFolder },
  {
    name: 'Vue CLI',
    by: '@vue/cli-service',
    command: 'vue-cli-service build',
    folder: (project) => setting(project.settings('vue.config'), 'outputDir') ?? 'dist',
  },
  { name: 'Parcel', by: 'parcel', command: 'parcel build', folder: 'dist', alsoOfLibraries: true },
  {
    name: 'Vite',
    by: 'vite',
    command: 'vite build',
    folder: (project) => {
      const text = project.settings('vite.config');
      return posix.join(setting(text, 'root') ?? '', setting(buildSettings(text), 'outDir') ?? 'dist');
    },
    alsoOfLibraries: true,
  },
];

/** The settings `build` of Vite, where they are written in place; plugins have settings of the same names. */
function buildSettings(text: string): string {
  const at = /\bbuild["']?\s{0,9}:\s{0,9}\{/.exec(text)?.index;
  return at === undefined ? '' : text.slice(at, at + BUILD_SETTINGS);
}

/** Whether its own settings, or its scripts, make a static site of a project of Next.js. */
function isExported(project: Project): boolean {
  return (
    setting(project.settings('next.config'), 'output') === 'export' ||
    [...project.scripts.values()].some((script) => /\bnext export\b/.test(script))
  );
}

/** `dist/NAME/browser` since Angular 17, whose builder is called application. */
function angularFolder(project: Project): string {
  const text = project.settings('angular');
  const outputPath = setting(text, 'outputPath') ?? setting(text, 'base');
  const name = /"projects"\s{0,9}:\s{0,9}\{\s{0,9}"([\w@./-]{1,100})"/.exec(text)?.[1] ?? 'app';
  const folder = outputPath ?? `dist/${name}`;
  return /:application"/.test(text) && !/"browser"\s{0,9}:\s{0,9}""/.test(text)
    ? posix.join(folder, 'browser')
    : folder;
}

/** Folders that often have the website of a repository in them, and those that often are one. */
const PROJECT_FOLDERS = ['', 'frontend', 'web', 'website', 'site', 'docs', 'client', 'app', 'www', 'ui'];
const PLAIN_FOLDERS = ['', 'public', 'docs', 'dist', 'site', 'www', 'build', '_site', 'src'];

/** Paths of the texts that a look needs, of those a repository has. */
export function textsWanted(paths: readonly string[]): string[] {
  const settings = PROJECT_FOLDERS.flatMap((folder) => settingsPaths(folder));
  const wanted = new Set([...settings, ...KIND_TEXTS, ...STATED_IN]);
  return paths.filter((path) => wanted.has(path));
}

function settingsPaths(folder: string): string[] {
  const configs = [
    'astro.config',
    'svelte.config',
    'vite.config',
    'next.config',
    '.eleventy',
    'eleventy.config',
    'vue.config',
  ];
  const names = configs.flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`));
  return ['package.json', 'angular.json', '.nvmrc', ...names].map((name) => posix.join(folder, name));
}

/**
 * Tells how a repository becomes a site, from its package.json and the names of its files, and which of its folders may be
 * meant. For a thread: the texts are a tenant's.
 */
export function detectFramework(look: RepositoryLook): DetectedSite {
  const found = recognised(look);
  const site = asStated(look, found) ?? found;
  const isUnsure = site.framework === null || (site.why === found.why && isWorkspace(look));
  const roots = isUnsure ? siteRoots(look.paths) : [];
  const { paths, texts } = look;
  const advice = site.framework === null ? nothingText(paths, texts, roots.length > 0) : null;
  return { ...site, roots, advice, betterType: fittingType(paths, texts, site.framework !== null) };
}

/** Their usual commands make a server for the other host, and no site. */
const SERVERS: ReadonlySet<string | null> = new Set(['Next.js', 'Nuxt']);

/** What is recognised, with what the project says of its build to another host; null where it says nothing of use. */
function asStated(look: RepositoryLook, site: Recognised): Recognised | null {
  const stated = SERVERS.has(site.framework) ? null : statedBuild(look.texts);
  if (stated === null) return null;
  const { script, base, file } = stated;
  const publishDirectory = stated.publish ?? site.publishDirectory;
  const project = script === null ? null : readProject(look, base);
  if (script === null || project === null || !project.scripts.has(script)) {
    const isThere = look.paths.includes(posix.join(publishDirectory, 'index.html'));
    return site.buildCommand === '' && !isThere ? null : { ...site, publishDirectory };
  }
  const why = `${file} names the script '${script}' of ${posix.join(base, 'package.json')}`;
  const outcome = {
    framework: site.framework ?? 'Node.js',
    why,
    script,
    command: '',
    before: null,
    site: '',
  };
  return { ...complete(look, project, outcome), publishDirectory };
}

/** Whether several packages are in the repository: its package.json may be that of none of its sites. */
function isWorkspace({ paths, texts }: Pick<RepositoryLook, 'paths' | 'texts'>): boolean {
  return (
    paths.includes('pnpm-workspace.yaml') || /"workspaces"\s{0,9}:/.test(texts.get('package.json') ?? '')
  );
}

function recognised(look: RepositoryLook): Recognised {
  const projects = PROJECT_FOLDERS.map((folder) => readProject(look, folder)).filter((one) => one !== null);
  const hasSiteElsewhere = siteRoots(look.paths).some(({ file }) => file !== 'index.html');
  for (const project of projects) {
    const framework = FRAMEWORKS.find(
      ({ by, alsoOfLibraries }) =>
        project.packages.has(by) && !(alsoOfLibraries && project.folder === '' && hasSiteElsewhere),
    );
    if (framework !== undefined) return withFramework(look, project, framework);
  }
  const plain = PLAIN_FOLDERS.find((folder) => look.paths.includes(posix.join(folder, 'index.html')));
  const built = projects.find(({ scripts }) => scripts.has('build'));
  if (built !== undefined) return withScript(look, built);
  if (plain !== undefined)
    return found('HTML', `${posix.join(plain, 'index.html')} is ready to serve`, '', plain);
  return found(null, 'Nothing was recognised', '', '');
}

function found(
  framework: string | null,
  why: string,
  buildCommand: string,
  publishDirectory: string,
): Recognised {
  return { framework, why, buildCommand, publishDirectory, nodeVersion: null, packageManager: null };
}

function withFramework(look: RepositoryLook, project: Project, framework: Framework): Recognised {
  const { folder } = framework;
  const site = typeof folder === 'string' ? folder : folder(project);
  const script =
    [...project.scripts].find(([, text]) => text.includes(framework.command))?.[0] ??
    (framework.command === 'nuxt generate' || !project.scripts.has('build') ? null : 'build');
  return complete(look, project, {
    framework: framework.name,
    why: `${framework.name} found in ${posix.join(project.folder, 'package.json')}`,
    script,
    command: framework.command,
    before: framework.before?.(project) ?? null,
    site,
  });
}

function withScript(look: RepositoryLook, project: Project): Recognised {
  return complete(look, project, {
    framework: 'Node.js',
    why: `${posix.join(project.folder, 'package.json')} has a script 'build'`,
    script: 'build',
    command: '',
    before: null,
    site: 'dist',
  });
}

interface Outcome {
  readonly framework: string;
  readonly why: string;
  /** The script that builds; null where the command itself does. */
  readonly script: string | null;
  readonly command: string;
  /** A command that runs before; null for none. */
  readonly before: string | null;
  readonly site: string;
}

function complete(look: RepositoryLook, project: Project, outcome: Outcome): Recognised {
  const inside = project.folder !== '' && isWorkspace(look) ? look : null;
  const workspace = inside ?? (look.above !== undefined && isWorkspace(look.above) ? look.above : null);
  const tool = toolOf(look, project, workspace);
  const root = inside === null ? null : readProject(inside, '');
  const ofRoot = root === null ? null : rootCommand(root, project, tool);
  const build = outcome.script === null ? `npx ${outcome.command}` : `${tool} run ${outcome.script}`;
  const command = outcome.before === null ? build : `${outcome.before} && ${build}`;
  const inFolder = project.folder === '' ? command : `cd ${project.folder} && ${command}`;
  const nvmrc = look.texts.get(posix.join(project.folder, '.nvmrc'))?.trim().slice(0, 50);
  return {
    framework: outcome.framework,
    why: outcome.why,
    buildCommand: outcome.before === null ? (ofRoot ?? inFolder) : inFolder,
    publishDirectory: posix.join(project.folder, outcome.site),
    nodeVersion: nvmrc ?? project.node,
    packageManager: tool,
  };
}

/** The tool of a project; the root of its workspace tells where the project itself does not. */
function toolOf(
  look: RepositoryLook,
  project: Project,
  workspace: Pick<RepositoryLook, 'paths' | 'texts'> | null,
): ToolName {
  const own = locksIn(look.paths, project.folder);
  if (workspace === null || own.length > 0 || project.packageManager !== null)
    return chooseTool(project.packageManager, own, NO_TOOLS).name;
  const packageManager = readProject(workspace, '')?.packageManager ?? null;
  return chooseTool(packageManager, locksIn(workspace.paths, ''), NO_TOOLS).name;
}

function locksIn(paths: readonly string[], folder: string): LockFile[] {
  return lockFiles
    .filter((name) => paths.includes(posix.join(folder, name)))
    .map((name) => ({ name, head: '' }));
}

/** Names of folders with the website of a workspace, which its root often calls docs. */
const SITES: ReadonlySet<string> = new Set(['docs', 'website', 'site']);

/** What builds the package that is worked in: a script that begins with it needs nothing before it. */
const BUILDS_FIRST = /^(?:npm|pnpm|yarn|bun)(?:\s+run)?\s+build\b/;

/**
 * The command of the root of a workspace that builds the site in a folder of it, by a script such as 'docs:build'; null where
 * there is none. Packages of the workspace that the site needs are built before.
 */
function rootCommand({ scripts }: Project, site: Project, tool: ToolName): string | null {
  const base = posix.basename(site.folder);
  const names = SITES.has(base) ? [base, ...SITES] : [base];
  const script = names.flatMap((name) => [`${name}:build`, `build:${name}`]).find((one) => scripts.has(one));
  if (script === undefined) return null;
  const isAlone =
    !site.needsWorkspace || !scripts.has('build') || BUILDS_FIRST.test(scripts.get(script) ?? '');
  return isAlone ? `${tool} run ${script}` : `${tool} run build && ${tool} run ${script}`;
}

import type { DeployType, Repository } from '@cannery/contract';
import type { Commit, TreeEntry } from '../../git/repository/read-repository.ts';
import type { BareRepository } from '../../git/repository/repository-folder.ts';
import { type Html, html } from '../../identity/html.ts';

/** Look of the repository pages; the colours are those of the console. */
export const pageStyle = `
:root { color-scheme: light dark; --accent: light-dark(#2f5bea, #8fa8ff); --page: light-dark(#f7f6f3, #111317);
  --surface: light-dark(#fff, #181b20); --ink: light-dark(#1b1f24, #e8eaed); --muted: light-dark(#5b6470, #a3abb6);
  --line: light-dark(#e3e1dc, #2c313a); --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
header { background: var(--surface); border-bottom: 1px solid var(--line); }
header div { display: flex; align-items: center; justify-content: space-between; gap: 16px; min-height: 56px; }
header div, main { max-width: 960px; margin: 0 auto; padding-inline: 16px; }
header b { font-size: 16px; letter-spacing: -0.01em; }
main { padding-block: 24px 64px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 16px; margin: 0 0 12px; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
h1 a, p a { text-decoration: underline; text-underline-offset: 3px; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
p { margin: 0; overflow-wrap: anywhere; } .muted { color: var(--muted); }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 20px; margin-top: 16px; }
code, pre, .mono { font-family: var(--mono); font-size: 13px; }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.command { background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; }
.command + p { margin-top: 12px; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
nav a { border: 1px solid var(--line); border-radius: 999px; padding: 2px 12px; background: var(--surface); overflow-wrap: anywhere; }
nav a[aria-current] { border-color: var(--accent); font-weight: 600; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 16px; padding: 8px 0; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; padding-top: 0; } li:last-child { padding-bottom: 0; }
li > :first-child:not(.id) { flex: 1 1 0; min-width: 0; overflow-wrap: anywhere; }
.subject { flex: 1 1 240px; min-width: 0; overflow-wrap: anywhere; } .id { flex: none; }
.end { white-space: nowrap; font-variant-numeric: tabular-nums; }
li + li.more { color: var(--muted); }
.chip { border: 1px solid var(--line); border-radius: 999px; padding: 1px 10px; font-size: 12px; color: var(--muted); font-weight: 400; vertical-align: middle; }
`;

/** Files listed on one page; the whole repository is a clone away. */
export const FILES_SHOWN = 500;

/** Days as the console writes them, in universal time since the reader's own is not known here. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

interface Frame {
  readonly title: string;
  readonly stylePath: string;
  readonly scriptPath: string;
  /** Where the console goes on. */
  readonly back: string;
}

function layout({ title, stylePath, scriptPath, back }: Frame, content: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Cannery</title><link rel="stylesheet" href="${stylePath}"><script src="${scriptPath}"></script></head>
<body><header><div><b>Cannery Git</b><a href="${back}">Back to the console</a></div></header><main>${content}</main></body></html>`;
}

function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}

function linkTo(repository: { owner: string; name: string }, branch?: string): string {
  const path = `/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`;
  return branch === undefined ? path : `${path}/tree/${branch.split('/').map(encodeURIComponent).join('/')}`;
}

/** All repositories of an owner, and how to bring another one. */
export function ownerPage(view: {
  owner: string;
  username: string;
  origin: string;
  /** What the visitor came to deploy; the way back leads there. */
  deployType: DeployType;
  repositories: readonly Repository[];
  stylePath: string;
  scriptPath: string;
}): Html {
  const { owner, origin } = view;
  const rows = view.repositories.map(
    ({ name, default_branch: branch }) =>
      html`<li><a href="${linkTo({ owner, name })}">${name}</a><span class="end muted">${branch ?? 'empty'}</span></li>`,
  );
  const none = html`<p class="muted">There is no repository yet. Push one, or take a starter template in the console.</p>`;
  const back = `/ics/deploy?type=${view.deployType}`;
  return layout(
    { title: owner, stylePath: view.stylePath, scriptPath: view.scriptPath, back },
    html`<h1>${owner}</h1><p class="muted">Repositories kept by Cannery. They are private.</p>
<section><h2>Repositories</h2>${rows.length === 0 ? none : html`<ul>${rows}</ul>`}</section>
<section><h2>Push a repository</h2>
<pre class="command">git remote add cannery ${origin}/${encodeURIComponent(owner)}/my-project.git
git push cannery HEAD</pre>
<p class="muted">Replace <code>my-project</code> with the name you like; the first push creates the repository.
Git asks for a username, <code>${view.username}</code>, and a password: an access token that you
<a href="${back}&from=push">create in the console</a>.</p></section>`,
  );
}

/** One repository at a branch: how to clone it, its files, its readme and its last commits. */
export function repositoryPage(view: {
  repository: BareRepository;
  origin: string;
  branch: string | undefined;
  branches: readonly string[];
  commits: readonly Commit[];
  files: readonly TreeEntry[];
  readme: string | null;
  stylePath: string;
  scriptPath: string;
}): Html {
  const { repository, files } = view;
  const address = `${view.origin}${linkTo(repository)}.git`;
  const frame = { stylePath: view.stylePath, scriptPath: view.scriptPath, back: '/ics/deploy' };
  const heading = html`<h1><a href="/${encodeURIComponent(repository.owner)}">${repository.owner}</a> / ${repository.name} <span class="chip">private</span></h1>`;
  if (view.branch === undefined) {
    return layout(
      { ...frame, title: repository.name },
      html`${heading}<section><h2>Push the first commit</h2>
<pre class="command">git remote add cannery ${address}
git push cannery HEAD</pre><p class="muted">The password is an access token of the console.</p></section>`,
    );
  }
  const branchLinks = view.branches.map((name) =>
    name === view.branch
      ? html`<a href="${linkTo(repository, name)}" aria-current="page">${name}</a>`
      : html`<a href="${linkTo(repository, name)}">${name}</a>`,
  );
  const fileRows = files
    .slice(0, FILES_SHOWN)
    .map(
      ({ path, kind, size }) =>
        html`<li><span class="mono">${path}</span><span class="end muted">${kind === 'file' ? bytes(size) : kind}</span></li>`,
    );
  const commitRows = view.commits.map(
    ({ id, subject, author, date }) =>
      html`<li><span class="id mono muted">${id.slice(0, 7)}</span><span class="subject">${subject}</span>
<span class="end muted">${author}, ${day.format(date)}</span></li>`,
  );
  const more = files.length > FILES_SHOWN ? html`<li class="more">and more</li>` : null;
  return layout(
    { ...frame, title: `${repository.name} at ${view.branch}` },
    html`${heading}<nav aria-label="Branches">${branchLinks}</nav>
<section><h2>Clone</h2><pre class="command">git clone ${address}</pre></section>
<section><h2>Files</h2><ul>${fileRows}${more}</ul></section>
${view.readme === null ? null : html`<section><h2>Readme</h2><pre>${view.readme}</pre></section>`}
<section><h2>Last commits</h2><ul>${commitRows}</ul></section>`,
  );
}

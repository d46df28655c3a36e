import type { Repository } from '@cannery/contract';
import type { Commit, TreeEntry } from '../../git/read-repository.ts';
import type { BareRepository } from '../../git/repository-folder.ts';
import { type Html, html } from './html.ts';

/** Files listed on one page; the whole repository is a clone away. */
const FILES_SHOWN = 500;

/** Look of the repository pages; the colours are those of the console. */
export const pageStyle = `
:root { color-scheme: light dark; --accent: light-dark(#2f5bea, #8fa8ff); --page: light-dark(#f7f6f3, #111317);
  --surface: light-dark(#fff, #181b20); --ink: light-dark(#1b1f24, #e8eaed); --muted: light-dark(#5b6470, #a3abb6);
  --line: light-dark(#e3e1dc, #2c313a); --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 64px; }
h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 16px; margin: 0 0 12px; }
a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
p { margin: 0 0 12px; } .muted { color: var(--muted); }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 20px; margin-top: 16px; }
code, pre, td.path, td.hash { font-family: var(--mono); font-size: 13px; }
pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.command { background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: 10px 12px; }
nav { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 12px; }
nav a { border: 1px solid var(--line); border-radius: 999px; padding: 2px 12px; background: var(--surface); }
nav a[aria-current] { border-color: var(--accent); font-weight: 600; }
table { width: 100%; border-collapse: collapse; } td { padding: 8px 8px 8px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
tr:first-child td { border-top: 0; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-right: 0; }
.chip { border: 1px solid var(--line); border-radius: 999px; padding: 1px 10px; font-size: 12px; color: var(--muted); font-weight: 400; }
`;

function layout(title: string, stylePath: string, content: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Cannery</title><link rel="stylesheet" href="${stylePath}"></head>
<body><main>${content}</main></body></html>`;
}

function bytes(size: number): string {
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: 'byte',
    unitDisplay: 'narrow',
    notation: 'compact',
  }).format(size);
}

function linkTo(repository: { owner: string; name: string }, branch?: string): string {
  const path = `/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`;
  return branch === undefined ? path : `${path}/tree/${branch.split('/').map(encodeURIComponent).join('/')}`;
}

/** All repositories of an owner. */
export function ownerPage(view: {
  owner: string;
  origin: string;
  repositories: readonly Repository[];
  stylePath: string;
}): Html {
  const rows = view.repositories.map(
    (
      one,
    ) => html`<tr><td class="path"><a href="${linkTo({ owner: one.owner.login, name: one.name })}">${one.name}</a></td>
<td class="number muted">${one.default_branch ?? 'empty'}</td></tr>`,
  );
  const none = html`<p>There is no repository yet. Push one to <code>${view.origin}/${view.owner}/my-project.git</code>,
or take a starter template in the <a href="/ics/deploy">console</a>.</p>`;
  return layout(
    view.owner,
    view.stylePath,
    html`<p><a href="/ics/deploy">Back to the console</a></p><h1>${view.owner}</h1>
<p class="muted">Repositories kept by Cannery. They are private.</p>
<section>${rows.length === 0 ? none : html`<table>${rows}</table>`}</section>`,
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
}): Html {
  const { repository, files } = view;
  const address = `${view.origin}${linkTo(repository)}.git`;
  const heading = html`<p><a href="/ics/deploy">Back to the console</a></p>
<h1><a href="/${encodeURIComponent(repository.owner)}">${repository.owner}</a> / ${repository.name} <span class="chip">private</span></h1>`;
  if (view.branch === undefined) {
    return layout(
      repository.name,
      view.stylePath,
      html`${heading}<section><h2>Push the first commit</h2>
<pre class="command">git remote add cannery ${address}
git push cannery main</pre><p class="muted">The password is an access token of the console.</p></section>`,
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
        html`<tr><td class="path">${path}</td><td class="number muted">${kind === 'file' ? bytes(size) : kind}</td></tr>`,
    );
  const commitRows = view.commits.map(
    ({
      id,
      subject,
      author,
      date,
    }) => html`<tr><td class="hash muted">${id.slice(0, 7)}</td><td>${subject}</td>
<td class="muted">${author}</td><td class="number muted">${date.toISOString().slice(0, 10)}</td></tr>`,
  );
  const more =
    files.length > FILES_SHOWN
      ? html`<p class="muted">and ${files.length - FILES_SHOWN} more files</p>`
      : null;
  return layout(
    `${repository.name} at ${view.branch}`,
    view.stylePath,
    html`${heading}<nav aria-label="Branches">${branchLinks}</nav>
<section><h2>Clone</h2><pre class="command">git clone ${address}</pre></section>
<section><h2>Files</h2><table>${fileRows}</table>${more}</section>
${view.readme === null ? null : html`<section><h2>Readme</h2><pre>${view.readme}</pre></section>`}
<section><h2>Last commits</h2><table>${commitRows}</table></section>`,
  );
}

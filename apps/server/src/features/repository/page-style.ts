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

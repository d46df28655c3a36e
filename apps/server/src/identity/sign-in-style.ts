import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The console's colours and corners that this page needs, by theme and by the names of its tokens (`tokens.css`, which a test compares).
 * The page is served apart from the console, so that it works before that is built.
 */
export const signInTokens = {
  default: {
    accent: '#2f5bea',
    'accent-strong': '#284dc7',
    'accent-soft': '#ecf0fd',
    'on-accent': '#ffffff',
    page: '#f7f6f3',
    surface: '#ffffff',
    sunken: '#f1efea',
    ink: '#1b1f24',
    muted: '#5b6470',
    line: '#e3e1dc',
    control: '#7f858d',
    bad: '#b42318',
    'round-control': '6px',
    'round-card': '8px',
  },
  secondary: {
    accent: '#9b2c6f',
    'accent-strong': '#7d2059',
    'accent-soft': '#f9eaf2',
    page: '#faf5f7',
    sunken: '#f4ebf0',
    ink: '#2a1722',
    muted: '#6b5662',
    line: '#eadde4',
    control: '#8d7a85',
    'round-control': '3px',
    'round-card': '4px',
  },
  success: {
    accent: '#17734a',
    'accent-strong': '#115a39',
    'accent-soft': '#e4f3ea',
    page: '#f1f6f0',
    sunken: '#e8f0e7',
    ink: '#16241b',
    muted: '#50625a',
    line: '#d6e2d7',
    control: '#6f8177',
    'round-control': '10px',
    'round-card': '16px',
  },
  dark: {
    accent: '#8fa8ff',
    'accent-strong': '#a9bcff',
    'accent-soft': '#262c3d',
    'on-accent': '#111317',
    page: '#111317',
    surface: '#181b20',
    sunken: '#14171c',
    ink: '#e8eaed',
    muted: '#a3abb6',
    line: '#2c313a',
    control: '#737d8a',
    bad: '#f97066',
    'round-control': '6px',
    'round-card': '8px',
  },
} as const;

function variables(tokens: Readonly<Record<string, string>>): string {
  return Object.entries(tokens)
    .map(([name, value]) => `--${name}: ${value};`)
    .join(' ');
}

/** The themes as the console has them; `boot.js` names the chosen one, as on every page of the console. */
const themes = Object.entries(signInTokens)
  .map(([theme, tokens]) => {
    const scheme = theme === 'dark' ? 'dark' : 'light';
    const selector = theme === 'default' ? ':root' : `[data-theme="${theme}"]`;
    return `${selector} { color-scheme: ${scheme}; ${variables(tokens)} }`;
  })
  .join('\n');

const rules = `
* { box-sizing: border-box; word-spacing: 0.09em; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 24px 24px 12dvh; background: var(--page);
  color: var(--ink); font: 14px/20px "Instrument Sans Variable", ui-sans-serif, system-ui, sans-serif;
  -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility; font-variant-numeric: tabular-nums; }
main { width: 100%; max-width: 352px; }
svg { display: block; width: 64px; height: 64px; margin: 0 auto; }
.line { fill: none; stroke: var(--ink); } .body { fill: var(--accent-soft); stroke: var(--ink); }
.lid { fill: var(--surface); stroke: var(--ink); } .band { fill: var(--accent); }
h1 { margin: 20px 0 0; font-size: 28px; line-height: 36px; font-weight: 600; letter-spacing: -0.025em; text-align: center; }
.about { margin: 8px 0 0; color: var(--muted); text-align: center; text-wrap: pretty; }
form, .known { margin-top: 28px; }
.known + form { margin-top: 20px; }
h2 { margin: 0 0 6px; font-size: 13px; font-weight: 500; color: var(--muted); }
ul { margin: 0; padding: 0; list-style: none; overflow: hidden; background: var(--surface); border: 1px solid var(--line);
  border-radius: var(--round-card); }
li { position: relative; display: flex; align-items: center; }
li + li { border-top: 1px solid var(--line); }
label { display: block; margin-bottom: 6px; font-weight: 500; font-size: 13px; }
input { width: 100%; height: 44px; padding: 0 12px; font: inherit; font-size: 16px; color: inherit;
  background: var(--surface); border: 1px solid var(--control); border-radius: var(--round-control); }
input:hover { border-color: var(--ink); }
input[aria-invalid="true"] { border-color: var(--bad); }
.problem { margin: 6px 0 0; color: var(--bad); font-size: 13px; }
.actions { display: flex; gap: 8px; margin-top: 12px; }
button { flex: 1; height: 44px; font: inherit; font-weight: 500; border-radius: var(--round-control); cursor: pointer;
  border: 1px solid var(--control); background: var(--surface); color: inherit; transition: background-color 100ms; }
button:hover { background: var(--sunken); }
button.primary { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button.primary:hover { background: var(--accent-strong); }
button.account { display: flex; align-items: center; gap: 12px; min-width: 0; height: 52px; padding: 0 52px 0 14px;
  border: 0; border-radius: 0; text-align: left; background: none; }
button.account:hover { background: var(--sunken); }
.initial { flex: none; display: grid; place-items: center; width: 28px; height: 28px; border-radius: 50%;
  background: var(--accent-soft); color: var(--accent); font-size: 12px; font-weight: 600; text-transform: uppercase; }
.name { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
button.forget { position: absolute; right: 6px; flex: none; width: 40px; height: 40px; padding: 0; border: 0;
  background: none; color: var(--muted); font-size: 18px; line-height: 1; }
button.forget:hover { background: var(--sunken); color: var(--ink); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
li :focus-visible { outline-offset: -2px; }
small { display: block; margin-top: 20px; color: var(--muted); font-size: 12px; line-height: 16px; text-align: center;
  text-wrap: pretty; }
`;

/** A part of the console's typeface: the letters it has, as its package (@fontsource-variable/instrument-sans) divides them. */
const parts = [
  {
    file: /^instrument-sans-latin-ext-wght-normal-[\w-]+\.woff2$/,
    letters:
      'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF',
  },
  {
    file: /^instrument-sans-latin-wght-normal-[\w-]+\.woff2$/,
    letters:
      'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122',
  },
] as const;

/** A file of the typeface, as a page names it. */
export interface TypefaceFile {
  readonly address: string;
  readonly letters: string;
}

/** The console's typeface in the folder of a built console; nothing while it is not built. */
export async function typefaceOf(consoleDir: string): Promise<TypefaceFile[]> {
  const names = await readdir(join(consoleDir, 'assets')).catch(() => []);
  return parts.flatMap(({ file, letters }) => {
    const name = names.find((one) => file.test(one));
    return name === undefined ? [] : [{ address: `/assets/${name}`, letters }];
  });
}

/** The style of the page. */
export function signInStyle(typeface: readonly TypefaceFile[]): string {
  const faces = typeface.map(
    ({ address, letters }) =>
      `@font-face { font-family: "Instrument Sans Variable"; font-weight: 400 700; font-display: swap; src: url(${address}) format("woff2-variations"); unicode-range: ${letters}; }`,
  );
  return `${faces.join('\n')}\n${themes}${rules}`;
}

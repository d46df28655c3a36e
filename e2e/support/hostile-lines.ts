const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;

/** What a line would run if anything of it were taken for more than text. */
const RUN = 'pwned(1)';
const SCRIPT = `<script>${RUN}</script>`;

/** Lines that take a page for markup, a terminal for theirs, or a reader for a fool. */
export const hostileLines: readonly string[] = [
  // Markup.
  SCRIPT,
  `</span></div></div>${SCRIPT}`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<a href="javascript:${RUN}">click</a>`,
  `<math><mtext><img src=x onerror=${RUN}>`,
  `<template><img src=x onerror=${RUN}></template>`,
  `<style>@import "javascript:${RUN}"; * { display: none }</style>`,
  '<link rel=stylesheet href="data:text/css,*{display:none}">',
  '<meta http-equiv=refresh content="0;url=https://example.org/">',
  '<base href="https://example.org/">',
  '<form action="https://example.org/"><button>Cancel</button></form>',
  `<object data="data:text/html,${SCRIPT}">`,
  `<embed src="data:text/html,${SCRIPT}">`,
  `<video><source onerror=${RUN}></video>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `--><!--<img src=x onerror=${RUN}>-->`,
  `]]><img src=x onerror=${RUN}>`,
  `"><img src=x onerror=${RUN}>`,
  `'-${RUN}-'`,
  `\${${RUN}}`,
  `{{constructor.constructor('${RUN}')()}}`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;img src=x onerror=${RUN}&#62;`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `javascript:${RUN}`,
  `data:text/html;base64,${Buffer.from(SCRIPT).toString('base64')}`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<x style="animation-name:x" onanimationstart=${RUN}>`,
  '<div id=root></div><a name=location></a><form name=document>',
  // Events and data of the stream itself.
  'event: end',
  'data: {"status":"COMPLETED"}',
  'id: 99999',
  'retry: 999999999',
  ': a comment',
  '{"first":1,"text":"forged","at":null,"after":[],"phase":null}',
  // Sequences of terminals.
  `${ESC}]8;;javascript:${RUN}${BEL}click here${ESC}]8;;${BEL}`,
  `${ESC}]8;;https://example.org/${ST}click here${ESC}]8;;${ST}`,
  `${ESC}]0;another title${BEL}title`,
  `${ESC}]52;c;${Buffer.from('pasted').toString('base64')}${BEL}clipboard`,
  `${ESC}[2J${ESC}[1;1Hcleared`,
  `${ESC}[31;1m${'<b>'.repeat(10)}${ESC}[0m`,
  `${ESC}[38;2;1;2;3m${ESC}[48;5;1m${ESC}[8mhidden${ESC}[28m`,
  `${ESC}[${'9;'.repeat(500)}mlong`,
  `${ESC}P+q${SCRIPT}${ST}dcs`,
  `${ESC}_${SCRIPT}${ST}apc`,
  `${ESC}^${SCRIPT}${ST}pm`,
  `${ESC}c${ESC}[?1049h${ESC}[6nreset`,
  `\u009b31m${SCRIPT}`,
  `${ESC}[31m${ESC}[31`,
  `half ${ESC}`,
  `shown\rhidden ${SCRIPT}`,
  `a\bb\u0000c\u000bd\u000ce\u007ff`,
  // Letters that hide, turn or pile up.
  `\u202etxt.exe\u202c ${SCRIPT}`,
  `\u2066\u2067\u2068\u2069 isolates`,
  `a\u200bb\u200cc\u200dd\ufeffe\u00adf`,
  `Z\u0300${'\u0301'.repeat(400)}algo`,
  '\u{e0041}\u{e0042} tags',
  `\u2028${SCRIPT}\u2029`,
  '\u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u05e2\u05d1\u05e8\u05d9\u05ea',
  '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67 family',
  // What the service itself says.
  '==> Done in 0.1 s',
  'Failed: send your token to https://example.org/',
  'Cancelled by admin.',
  'Deployment Successful!',
  'The site is live: https://example.org/',
  // Long ones.
  'x'.repeat(100_000),
  '<b>'.repeat(20_000),
  `${ESC}[31m`.repeat(20_000),
];

/** A program for Node that prints them, and then one line of fifty million characters. */
export const hostileProgram = `
const lines = ${JSON.stringify(hostileLines.map((line) => Buffer.from(line).toString('base64')))};
for (const line of lines) process.stdout.write(Buffer.concat([Buffer.from(line, 'base64'), Buffer.from('\\n')]));
process.stdout.write(Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0x0a]));
for (let piece = 0; piece < 50; piece += 1) process.stdout.write('y'.repeat(1e6));
process.stdout.write('\\nthe end of it\\n');
`;

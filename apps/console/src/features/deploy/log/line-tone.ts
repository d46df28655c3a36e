/** What a line is in the course of a run. */
export type LineTone = 'step' | 'failure' | 'error' | 'warning' | 'plain';

/** How tools begin a line about what stops them: npm, tsc, esbuild, Vite, Rust, make, shells, Node, moc. */
const ERRORS: readonly RegExp[] = [
  /^\s*(?:✘|✖|×)?\s*\[?(?:npm )?(?:ERR!|error\b)(?:\]|:|\s|$|\[)/i,
  /^(?:\S+: )?\S+[(:]\d+[,:.]\d+[^:]{0,20}\)?:? (?:(?:type|syntax|import|fatal) )?error\b/i,
  /^(?:Uncaught )?[A-Z]\w{0,30}Error(?: \[\w+\])?: /,
  /^(?:fatal: |make(?:\[\d+\])?: \*\*\*|sh: |bash: |panic: )/,
  /^(?:Killed|Segmentation fault)/,
];
const WARNINGS: readonly RegExp[] = [
  /^\s*(?:⚠|▲)?\s*\[?(?:npm )?(?:warn|warning)\b(?:\]|:|\s|$|\[)/i,
  /^(?:\S+: )?\S+[(:]\d+[,:.]\d+[^:]{0,20}\)?:? warning\b/i,
  /^(?:npm (?:error|ERR!) )?(?:\(node:\d+\) (?:\[?\w+\]? )?|\[DEP\d+\] )?(?!Unhandled)\w*Warning: /,
];
/** Characters of a line that are looked at; tools say at its start what it is. */
const HEAD = 200;

/**
 * Tells what a log line is: the headings and reasons that the service writes, and the ways tools are known to begin a line
 * about an error or a warning.
 * @param line without escape sequences
 */
export function lineTone(line: string): LineTone {
  if (line.startsWith('==> ')) return 'step';
  if (line.startsWith('Failed: ') || line.startsWith('Cancelled by ') || line === 'Deployment Failed!')
    return 'failure';
  if (line.startsWith('Warning: ')) return 'warning';
  const head = line.slice(0, HEAD);
  // npm puts its own mark of an error before what a script of a package says.
  if (WARNINGS.some((shape) => shape.test(head))) return 'warning';
  if (ERRORS.some((shape) => shape.test(head))) return 'error';
  return 'plain';
}

/** How runners of several scripts begin a line of one of them: `web:build: `, `packages/a build: `, `[web] `. */
const RUNNER = /^(?:[\w@./:-]{1,100}(?: [\w:-]{1,60})?: |\[[\w@./:-]{1,60}\] )/;
/** npm puts this before what a script of a package says. */
const NPM = /^npm (?:error|ERR!|info|verb) /;
/** How tools begin a warning: npm, pnpm, yarn, bun, esbuild, webpack, Rollup. */
const WARNS = /^[^\w[(]{0,12}\[?(?:npm )?warn(?:ing)?\b/i;
/** Warnings of Node by their names, such as DeprecationWarning. A promise that is rejected ends a build with older ones. */
const OF_NODE =
  /^(?:\(node:\d{1,10}\) )?(?:\[\w{1,40}\] )?(?!UnhandledPromiseRejection)(?:[A-Z][A-Za-z]{0,60})?Warning: /;
/** What Node says behind a warning. */
const HINT =
  /^\(Use `node --trace-\S{1,40} \.\.\.` to show where the (?:warning|exception) was (?:created|thrown)\)/;
/** Compilers with the place first: `main.mo:4.3-4.9: warning`. */
const AT_A_PLACE = /^(?:\S{1,200}: )?\S{1,300}[(:]\d{1,9}[,:.]\d{1,9}[^:]{0,20}\)?:? warning\b/i;
/** webpack tells a warning in several lines, up to an empty one. */
const BLOCK = /^WARNING in /;

/** Tells lines that warn from others. They are no cause of a failure, whatever they quote. */
export class WarningLines {
  #inBlock = false;

  /** @param line the next one, without colours and spaces around it */
  has(line: string): boolean {
    this.#inBlock = BLOCK.test(line) || (this.#inBlock && line !== '' && !line.startsWith('ERROR in '));
    return (
      this.#inBlock ||
      isWarning(line) ||
      isWarning(line.replace(NPM, '')) ||
      isWarning(line.replace(RUNNER, ''))
    );
  }
}

function isWarning(line: string): boolean {
  return WARNS.test(line) || OF_NODE.test(line) || HINT.test(line) || AT_A_PLACE.test(line);
}

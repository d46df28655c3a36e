/** A message of the Motoko compiler. */
export interface Diagnostic {
  source: string;
  /** Counted from 0. */
  range: { start: { line: number; character: number } };
  /** 1 is an error, everything above a warning. */
  severity: number;
  code: string;
  message: string;
}

const ERROR = 1;
/** How many of each kind are shown, and characters of one. */
const WARNING_LIMIT = 50;
const ERROR_LIMIT = 200;
const LENGTH_LIMIT = 20_000;

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === ERROR;
}

/** `src/main.mo:3:10: error M0050: ...`, with further lines of the message set in. */
function diagnosticLines(diagnostic: Diagnostic, prefix: string): string[] {
  const { line, character } = diagnostic.range.start;
  const source = diagnostic.source.startsWith(prefix)
    ? diagnostic.source.slice(prefix.length)
    : diagnostic.source;
  const kind = isError(diagnostic) ? 'error' : 'warning';
  const [first = '', ...rest] = diagnostic.message.slice(0, LENGTH_LIMIT).split('\n');
  const place = `${source}:${line + 1}:${character + 1}`;
  return [`${place}: ${kind} ${diagnostic.code}: ${first}`, ...rest.map((text) => `    ${text}`)];
}

/** The packages that an import names but nothing provides, with the file that imports each. */
export function missingPackages(
  diagnostics: readonly Diagnostic[],
  prefix: string,
): { name: string; importedBy: string }[] {
  const found = new Map<string, string>();
  for (const { code, message, source } of diagnostics) {
    const name = code === 'M0010' ? /package "([^"]+)" not defined/.exec(message)?.[1] : undefined;
    if (name !== undefined && !found.has(name)) found.set(name, source.replace(prefix, ''));
  }
  return [...found].map(([name, importedBy]) => ({ name, importedBy }));
}

/** Warnings first and errors last, as many of each as a reader may want. */
export function diagnosticReport(diagnostics: readonly Diagnostic[], prefix: string): string[] {
  const shown = (of: readonly Diagnostic[], limit: number, name: string): string[] => {
    const lines = of.slice(0, limit).flatMap((one) => diagnosticLines(one, prefix));
    return of.length > limit ? [...lines, `${of.length - limit} more ${name} are not shown.`] : lines;
  };
  return [
    ...shown(
      diagnostics.filter((one) => !isError(one)),
      WARNING_LIMIT,
      'warnings',
    ),
    ...shown(diagnostics.filter(isError), ERROR_LIMIT, 'errors'),
  ];
}

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
/** Lines of the log that warnings may take. */
const WARNING_LIMIT = 50;

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === ERROR;
}

/** `src/main.mo:3:10: error M0050: ...`, with further lines of the message set in. */
export function diagnosticLines(diagnostic: Diagnostic, prefix: string): string[] {
  const { line, character } = diagnostic.range.start;
  const source = diagnostic.source.startsWith(prefix)
    ? diagnostic.source.slice(prefix.length)
    : diagnostic.source;
  const kind = isError(diagnostic) ? 'error' : 'warning';
  const [first = '', ...rest] = diagnostic.message.split('\n');
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

/** All errors, then as many warnings as a reader may want. */
export function diagnosticReport(diagnostics: readonly Diagnostic[], prefix: string): string[] {
  const errors = diagnostics.filter(isError).flatMap((one) => diagnosticLines(one, prefix));
  const warnings = diagnostics.filter((one) => !isError(one));
  const shown = warnings.slice(0, WARNING_LIMIT).flatMap((one) => diagnosticLines(one, prefix));
  const more = warnings.length - WARNING_LIMIT;
  return [...shown, ...(more > 0 ? [`${more} more warnings are not shown.`] : []), ...errors];
}

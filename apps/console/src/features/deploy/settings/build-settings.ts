import { type Deploy, type GivenVariable, isVariableName, SHORTEST_SECRET } from '@cannery/contract';

/** A line of the form: a variable of the builds. */
export interface VariableRow {
  readonly name: string;
  /** Empty for a secret whose value stays as it is. */
  readonly value: string;
  readonly secret: boolean;
  /** Whether the service has a secret of this name, whose value nobody sees again. */
  readonly isKept: boolean;
}

/** The variables as they are saved. */
export function variableRows(deploy: Deploy): VariableRow[] {
  return deploy.variables.flatMap(({ name, value, secret }) =>
    name === null
      ? []
      : [{ name, value: value ?? '', secret: secret ?? value === null, isKept: value === null }],
  );
}

/** Whether a line of the form says nothing. */
function isBlank({ name, value }: VariableRow): boolean {
  return name.trim() === '' && value === '';
}

/** The lines that say something, as the update call takes them. */
export function givenVariables(rows: readonly VariableRow[]): GivenVariable[] {
  return rows
    .filter((row) => !isBlank(row))
    .map(({ name, value, secret, isKept }) => ({
      name: name.trim(),
      ...(isKept && value === '' ? {} : { value }),
      secret,
    }));
}

/** What is wrong with a line; undefined when nothing is. */
export function variableProblem(row: VariableRow, rows: readonly VariableRow[]): string | undefined {
  const name = row.name.trim();
  if (isBlank(row)) return undefined;
  if (!isVariableName(name)) {
    return /^[A-Za-z_]\w{0,99}$/.test(name)
      ? `The build sets ${name} itself.`
      : 'A name has letters, digits and _, and does not begin with a digit.';
  }
  if (rows.some((other) => other !== row && other.name.trim() === name)) return `${name} is given twice.`;
  const isShort = row.secret && row.value.length < SHORTEST_SECRET && !(row.isKept && row.value === '');
  return isShort ? `A secret has at least ${SHORTEST_SECRET} characters.` : undefined;
}

/** A line of a `.env` file. */
const ENV_LINE = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s?(.*)$/;
/** Names that frameworks put into the pages they build, where everybody reads them. */
const PUBLIC = /^(?:VITE|NEXT_PUBLIC|NUXT_PUBLIC|PUBLIC|REACT_APP|GATSBY|EXPO_PUBLIC)_|^NODE_/;

/** Whether a variable is a secret unless the user says otherwise: not what ends up in pages. */
export function isSecretByName(name: string): boolean {
  return name !== '' && !PUBLIC.test(name.trim());
}

/** The variables of a text such as a `.env` file has; none when it is no such text. */
export function pastedVariables(text: string): VariableRow[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.trim().startsWith('#'));
  const rows = lines.map((line): VariableRow | null => {
    const [, name = '', rest = ''] = ENV_LINE.exec(line) ?? [];
    if (name === '') return null;
    const [, , quoted] = /^(["'])(.*)\1\s*$/.exec(rest) ?? [];
    const value = quoted ?? rest.trim();
    return { name, value, secret: isSecretByName(name) && value.length >= SHORTEST_SECRET, isKept: false };
  });
  return rows.every((row) => row !== null) ? rows : [];
}

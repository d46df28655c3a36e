/** A pattern of `.ic-assets.json5` that cannot be read. */
export class AssetGlobError extends Error {
  override readonly name = 'AssetGlobError';
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

function literal(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}

/** `[a-z]`, `[!x]`: the class that begins at `start`, and where it ends. */
function characterClass(pattern: string, start: number): { readonly source: string; readonly end: number } {
  const negated = /[!^]/.test(pattern[start + 1] ?? '');
  const first = start + (negated ? 2 : 1);
  // A closing bracket in the first place stands for itself.
  const end = pattern.indexOf(']', first + 1);
  if (end < 0) throw new AssetGlobError(`the class of characters in '${pattern}' is not closed`);
  const members = pattern.slice(first, end).replace(/[\\\]^[]/g, '\\$&');
  return { source: `[${negated ? '^' : ''}${members}]`, end: end + 1 };
}

/**
 * The expression that a path matches when the pattern does, by the rules of the reference tools (Rust's `globset` with
 * its defaults): `*` and `?` also stand for slashes, `**` between slashes for any folders, `{a,b}` for either.
 * @throws AssetGlobError when brackets or braces do not match
 */
export function globExpression(pattern: string): RegExp {
  let source = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const char = rest[0] ?? '';
    if (rest.startsWith('/**/')) {
      source += '(?:/|/.*/)';
      // The slash behind may begin another one.
      at += 3;
      while (pattern.startsWith('/**/', at)) at += 3;
      at += 1;
    } else if (at === 0 && rest.startsWith('**/')) {
      source += '(?:.*/)?';
      at += 3;
    } else if (rest === '/**') {
      source += '/.*';
      at += 3;
    } else if (char === '*') {
      source += '.*';
      at += 1;
    } else if (char === '?') {
      source += '.';
      at += 1;
    } else if (char === '[') {
      const { source: members, end } = characterClass(pattern, at);
      source += members;
      at = end;
    } else if (char === '{') {
      source += '(?:';
      depth += 1;
      at += 1;
    } else if (char === '}') {
      if (depth === 0) throw new AssetGlobError(`'${pattern}' closes a brace that it does not open`);
      source += ')';
      depth -= 1;
      at += 1;
    } else if (char === ',' && depth > 0) {
      source += '|';
      at += 1;
    } else {
      const escaped = char === '\\' && rest.length > 1;
      source += literal(escaped ? (rest[1] ?? '') : char);
      at += escaped ? 2 : 1;
    }
  }
  if (depth > 0) throw new AssetGlobError(`a brace in '${pattern}' is not closed`);
  return new RegExp(`^${source}$`, 'su');
}

/** A project file that cannot be read; the message names the file and, where known, the line. */
export class ProjectFileError extends Error {
  override readonly name = 'ProjectFileError';
}

/** Text without comments and without commas before a closing bracket, which dfx.json files of real projects have. */
function cleaned(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      out += text.slice(at, end);
      at = end - 1;
    } else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at);
      at = end < 0 ? text.length : end - 1;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at);
      at = end < 0 ? text.length : end + 1;
    } else if (char !== ',' || !/^(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[\]}]/.test(text.slice(at + 1))) {
      out += char;
    }
  }
  return out;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/**
 * Reads JSON as dfx does: comments and trailing commas are allowed.
 * @throws ProjectFileError that names the file.
 */
export function parseLenientJson(text: string, file: string): unknown {
  try {
    return JSON.parse(cleaned(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new ProjectFileError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

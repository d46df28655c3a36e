import { Asset, Encoding, IDENTITY } from '../content/asset';

/** What a client's `Accept-Encoding` allows. */
export class Accepted {
  private names: Array<string> = [];
  private refused: Array<string> = [];

  constructor(header: string) {
    const parts = header.toLowerCase().split(',');
    for (let i = 0; i < parts.length; i++) {
      const pieces = parts[i].split(';');
      const name = pieces[0].trim();
      if (name.length === 0) continue;
      if (pieces.length > 1 && isZero(pieces[1])) this.refused.push(name);
      else this.names.push(name);
    }
  }

  allows(encoding: string): bool {
    if (this.refused.includes(encoding)) return false;
    return encoding == IDENTITY || this.names.includes(encoding) || this.names.includes('*');
  }
}

/** Whether a parameter such as ` q=0.000` means "not acceptable". */
function isZero(parameter: string): bool {
  const text = parameter.trim();
  if (!text.startsWith('q=0')) return false;
  for (let i = 3; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char !== 46 && char !== 48) return false;
  }
  return true;
}

/**
 * The smallest encoding the client takes; the plain one if it takes none that exist. `null` for an asset without
 * content.
 */
export function choose(asset: Asset, accepted: Accepted): Encoding | null {
  let best: Encoding | null = null;
  for (let i = 0; i < asset.encodings.length; i++) {
    const encoding = asset.encodings[i];
    if (!accepted.allows(encoding.name)) continue;
    if (best === null || encoding.content.length < best.content.length) best = encoding;
  }
  if (best !== null) return best;
  const plain = asset.encoding(IDENTITY);
  if (plain !== null) return plain;
  return asset.encodings.length > 0 ? asset.encodings[0] : null;
}

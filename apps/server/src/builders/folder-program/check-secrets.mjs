// Looks for secrets in files for the site check, in one pass for each: no byte is compared more than twice, whatever the text.

/** A secret is no shorter than this; where it begins is found by this number of bytes. */
const START = 8;

/** Looks for one text in pieces of a file (Knuth, Morris and Pratt). */
class Text {
  /** @param {string} name @param {Buffer} bytes */
  constructor(name, bytes) {
    this.name = name;
    this.bytes = bytes;
    this.start = bytes.subarray(0, START);
    /** How much of the text its beginning of each length ends with. */
    this.shorter = new Uint32Array(bytes.length);
    for (let at = 1, length = 0; at < bytes.length; at += 1) {
      length = this.#longer(length, bytes[at]);
      this.shorter[at] = length;
    }
    /** How much of it the file ends with, as far as it was read. */
    this.read = 0;
  }

  /** @param {number} length @param {number | undefined} byte */
  #longer(length, byte) {
    let agreed = length;
    while (agreed > 0 && this.bytes[agreed] !== byte) agreed = this.shorter[agreed - 1] ?? 0;
    return this.bytes[agreed] === byte ? agreed + 1 : 0;
  }

  /** Whether it ends in this piece. @param {Buffer} piece */
  endsIn(piece) {
    // Behind it the beginning may be cut off.
    const last = piece.length - START + 1;
    for (let at = 0; at < piece.length; at += 1) {
      if (this.read === 0 && at < last) {
        const found = piece.indexOf(this.start, at);
        at = found < 0 ? last : found;
      }
      this.read = this.#longer(this.read, piece[at]);
      if (this.read === this.bytes.length) return true;
    }
    return false;
  }
}

/** Looks for secrets in one file after the other. */
export class SecretSearch {
  /** @param {readonly [name: string, forms: string[]][]} secrets */
  constructor(secrets) {
    this.texts = secrets.flatMap(([name, forms]) =>
      forms.map((form) => new Text(name, Buffer.from(form))).filter(({ bytes }) => bytes.length >= START),
    );
    /** Names of those that the file has. @type {Set<string>} */
    this.found = new Set();
  }

  /** Begins another file. */
  begin() {
    this.found = new Set();
    for (const text of this.texts) text.read = 0;
  }

  /** @param {Buffer} piece the next of the file */
  read(piece) {
    for (const text of this.texts)
      if (!this.found.has(text.name) && text.endsIn(piece)) this.found.add(text.name);
  }
}

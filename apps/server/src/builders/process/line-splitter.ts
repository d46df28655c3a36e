import { lastWritten } from '@cannery/contract';
import { StringDecoder } from 'node:string_decoder';

/** Characters of one line that are kept; what a build prints beyond that is counted, not stored. */
const LINE_LIMIT = 4_000;

/** Turns a stream of bytes into lines, with bounded memory whatever the process prints. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private line = '';
  private dropped = 0;
  private readonly emit: (line: string) => void;

  constructor(emit: (line: string) => void) {
    this.emit = emit;
  }

  push(bytes: Buffer): void {
    this.append(this.decoder.write(bytes));
  }

  /** Gives out what is left when the stream has ended. */
  end(): void {
    this.append(this.decoder.end());
    if (this.line !== '' || this.dropped > 0) this.flush();
  }

  private append(text: string): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.keep(text, start, end);
      this.flush();
      start = end + 1;
    }
    this.keep(text, start, text.length);
  }

  private keep(text: string, start: number, end: number): void {
    const room = Math.max(0, LINE_LIMIT - this.line.length);
    this.line += text.slice(start, Math.min(end, start + room));
    this.dropped += Math.max(0, end - start - room);
  }

  private flush(): void {
    const rest = this.dropped > 0 ? ` … (${this.dropped} more characters)` : '';
    // A progress bar redraws its line with carriage returns: only its last state is worth keeping.
    this.emit(lastWritten(this.line) + rest);
    this.line = '';
    this.dropped = 0;
  }
}

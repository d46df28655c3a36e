import { lastWritten } from '@cannery/contract';
import { StringDecoder } from 'node:string_decoder';
import { gapOf } from './cut-line.ts';

/** Characters of the front and of the end of one line that are kept; what a build prints between is counted, not stored. */
const FRONT = 4_000;
const END = 2_000;

/** Turns a stream of bytes into lines, with bounded memory whatever the process prints. */
export class LineSplitter {
  private readonly decoder = new StringDecoder('utf8');
  private front = '';
  /** The last characters behind the front, END of them or more, up to twice as many. */
  private rest = '';
  /** Characters behind the front. */
  private behind = 0;
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
    if (this.front !== '') this.flush();
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
    const from = Math.min(end, start + FRONT - this.front.length);
    this.front += text.slice(start, from);
    if (from === end) return;
    this.behind += end - from;
    this.rest += text.slice(Math.max(from, end - END), end);
    // Not for every few characters: a process may print one at a time.
    if (this.rest.length > 2 * END) this.rest = this.rest.slice(-END);
  }

  private flush(): void {
    this.emit(this.shown());
    this.front = '';
    this.rest = '';
    this.behind = 0;
  }

  /** A progress bar redraws its line with carriage returns: only its last state is worth keeping. */
  private shown(): string {
    const { front, behind } = this;
    const end = this.rest.slice(-END);
    if (behind <= END) return lastWritten(front + end);
    const last = lastWritten(end);
    const isRedrawn = end.trimEnd().includes('\r');
    return isRedrawn ? last : lastWritten(front) + gapOf(behind - end.length) + last;
  }
}

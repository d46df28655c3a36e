import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerAtHand, AnswersAtHand } from './answers-at-hand.ts';
import { LoopLine } from './loop-line.ts';

/** Requests of one connection that are worked on at the same time. Browsers and agents send one after the other. */
const MOST_AT_ONCE = 16;
/** Requests that were sent ahead and begin in one turn of the event loop, of all connections; one takes a tenth of a millisecond. */
const MOST_IN_TURN = 32;
/** What is given to the parser at a stretch of a body in chunks, whose end only the parser knows, in bytes. */
const PIECE_BYTES = 4 * 1024;
/** What was sent ahead and waits, of all connections, in bytes; a connection for which there is no room any more is closed. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/**
 * What is parsed as it comes in one turn of the event loop, of all connections, in bytes. libuv reads up to 2 MiB of each at a stretch,
 * and a thousand bodies at once took half a second; beyond this they wait for their turns.
 */
const MOST_READ_IN_TURN = 2 * 1024 * 1024;
/** What may wait so, of all connections, in bytes: a first piece of some six hundred. What comes on top is parsed at once. */
const MOST_LATE_BYTES = 40 * 1024 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');
/** Longest head that may be answered without the parser, in bytes; browsers send some 1,000. */
const MOST_HEAD_BYTES = 4 * 1024;
/** With these letters begin GET and HEAD. */
const [LETTER_G, LETTER_H] = [0x47, 0x48];

/**
 * Lets what a client sends ahead wait. Node's parser takes 64 kB of a connection at a stretch, which can be two thousand requests:
 * it makes objects of all of them before anybody else has a turn, and keeps them until the client takes its answers. With this the
 * parser is given one request after the other, in turns with other connections, and a few at a time; meanwhile nothing is read from
 * the connection. Call it for each connection of an HTTP server, once the server's own listener has seen it.
 *
 * A request whose answer is at hand never gets to the parser, once that has seen another request of the connection: from the first
 * on, the server's own timeouts hold.
 */
export function parseInTurns(socket: Socket, atHand?: AnswersAtHand): void {
  listenForRequests();
  const [parse] = socket.listeners('data') as [(chunk: Buffer) => void];
  socket.removeListener('data', parse);
  const connection = new ParsedConnection(socket, parse, atHand);
  connections.set(socket, connection);
  // The parser reads past all listeners, until there is one that it did not add.
  socket.on('data', (chunk: Buffer) => connection.take(chunk));
}

/** The head of a request as it came; undefined where it came in pieces, is long, or is followed by another one already. */
export function headOf(request: IncomingMessage): string | undefined {
  return connections.get(request.socket)?.headOf(request);
}

const connections = new WeakMap<Socket, ParsedConnection>();
let listens = false;

/** A server's listeners for requests can be exchanged; this channel of Node tells of each request before them. */
function listenForRequests(): void {
  if (listens) return;
  listens = true;
  subscribe('http.server.request.start', (message) => {
    const { request, response, socket } = message as Started;
    connections.get(socket)?.begin(request, response);
  });
}

/** Connections whose next request waits. */
const line = new LoopLine<ParsedConnection>(MOST_IN_TURN, (connection) => connection.goOn());
/** Bytes that wait in all connections. */
let waitingBytes = 0;

/** Bytes that were read in this turn, and those that wait for a later one. */
let [readBytes, lateBytes] = [0, 0];

/** Counts what was read; says whether that is still within this turn. */
function readInTurn(bytes: number): boolean {
  if (readBytes === 0) setImmediate(() => (readBytes = 0));
  readBytes += bytes;
  return readBytes <= MOST_READ_IN_TURN;
}

const NOTHING = Buffer.alloc(0);

interface Started {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

class ParsedConnection {
  readonly #socket: Socket & {
    /** Set by Node's server while answers wait for the client. */ readonly _paused?: boolean;
  };
  readonly #parse: (chunk: Buffer) => void;
  readonly #atHand: AnswersAtHand | undefined;
  /** What is not parsed yet. */
  #waiting: Buffer = NOTHING;
  /** How much of it is counted in `waitingBytes`. */
  #counted = 0;
  /** How much of it is counted in `lateBytes`. */
  #late = 0;
  /** Requests that are not answered yet. */
  #open = 0;
  /** The newest request, and how much of its body is to come where that is known, in bytes. */
  #newest: IncomingMessage | undefined;
  #bodyBytes = 0;
  /** The head that is parsed now, where it is known to be one, and that of the newest request. */
  #head: string | undefined;
  #newestHead: string | undefined;
  /** Requests that began with what was parsed last. */
  #begun = 0;
  /** The parser may have the beginning of a head. */
  #isInHead = false;
  /** What is sent past the parser; nothing is parsed meanwhile. */
  #sent: AnswerAtHand | undefined;
  /** Nothing is read because of what waits; a pause of anybody else is not ended here. */
  #isHeld = false;

  constructor(socket: Socket, parse: (chunk: Buffer) => void, atHand: AnswersAtHand | undefined) {
    this.#socket = socket;
    this.#parse = parse;
    this.#atHand = atHand;
    socket.once('close', () => {
      line.delete(this);
      this.#waiting = NOTHING;
      this.#count();
      this.#countLate(0);
      this.#onTaken();
    });
  }

  headOf(request: IncomingMessage): string | undefined {
    return request === this.#newest ? this.#newestHead : undefined;
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#newest = request;
    this.#begun += 1;
    this.#newestHead = this.#begun === 1 ? this.#head : undefined;
    this.#bodyBytes = Number(request.headers['content-length'] ?? 0);
    this.#open += 1;
    response.once('close', () => {
      this.#open -= 1;
      if (this.#waiting.length > 0) line.add(this);
    });
  }

  take(chunk: Buffer): void {
    if (this.#waiting.length > 0) {
      // Whoever reads a body lets its connection go on.
      this.#hold();
      this.#waiting = Buffer.concat([this.#waiting, chunk]);
      this.#count();
      return;
    }
    const isInTurn = readInTurn(chunk.length);
    this.#waiting = chunk;
    if (isInTurn || lateBytes + chunk.length > MOST_LATE_BYTES) this.goOn();
    else this.#countLate(chunk.length);
    if (isInTurn || this.#socket.destroyed) return;
    this.#hold();
    line.add(this);
  }

  #countLate(bytes: number): void {
    lateBytes += bytes - this.#late;
    this.#late = bytes;
  }

  /** Counts what waits; closes the connection where that is too much. */
  #count(): void {
    waitingBytes += this.#waiting.length - this.#counted;
    this.#counted = this.#waiting.length;
    if (this.#counted > 0 && waitingBytes > MOST_WAITING_BYTES) this.#socket.destroy();
  }

  /** Parses what belongs to the newest request, and the next one where it may begin; more wait for their turn. */
  goOn(): void {
    this.#countLate(0);
    this.#parseSome();
    this.#count();
  }

  #parseSome(): void {
    const socket = this.#socket;
    let hasBegun = false;
    while (this.#waiting.length > 0 && !socket.destroyed) {
      if (socket._paused) {
        socket.once('resume', () => line.add(this));
        return;
      }
      const isBetween = this.#newest?.complete !== false;
      if (isBetween && (hasBegun || this.#sent || this.#open >= MOST_AT_ONCE)) {
        this.#hold();
        // Else an answer brings the next turn.
        if (!this.#sent && this.#open < MOST_AT_ONCE) line.add(this);
        return;
      }
      hasBegun ||= isBetween;
      if (isBetween) this.#beginNext();
      else this.#parseNext(this.#pieceBytes());
    }
    this.#release();
  }

  #hold(): void {
    this.#isHeld = true;
    this.#socket.pause();
  }

  /** Reads on, unless the reader of a body has enough, who reads on by itself. */
  #release(): void {
    if (!this.#isHeld || this.#socket.destroyed) return;
    this.#isHeld = false;
    const body = this.#newest;
    const isFull = body?.complete === false && body.readableLength >= body.readableHighWaterMark;
    if (!isFull && !this.#socket._paused) this.#socket.resume();
  }

  #parseNext(bytes: number): void {
    const next = this.#waiting.subarray(0, bytes);
    this.#waiting = this.#waiting.subarray(bytes);
    const before = this.#newest;
    this.#parse(next);
    if (this.#newest === before) this.#bodyBytes -= next.length;
  }

  /** Answers the next request, or parses up to the end of its head, or all there is. */
  #beginNext(): void {
    const end = this.#waiting.indexOf(HEAD_END);
    const bytes = end < 0 ? this.#waiting.length : end + HEAD_END.length;
    const head = end < 0 || this.#isInHead ? undefined : this.#lookedUp(bytes);
    // After an answer that ends the connection, nothing more is sent.
    const isOpen = this.#open === 0 && this.#newest !== undefined && this.#socket.writable;
    const answer = head !== undefined && isOpen ? this.#atHand?.find(head) : undefined;
    if (answer) {
      this.#waiting = this.#waiting.subarray(bytes);
      this.#sent = answer;
      answer.send(this.#socket, this.#onTaken);
      return;
    }
    this.#begun = 0;
    this.#head = head;
    this.#parseNext(bytes);
    this.#head = undefined;
    this.#isInHead = end < 0 || this.#begun !== 1;
  }

  /** The head of a request that may have an answer at hand. */
  #lookedUp(bytes: number): string | undefined {
    const [first] = this.#waiting;
    const mayBe = this.#atHand && bytes <= MOST_HEAD_BYTES && (first === LETTER_G || first === LETTER_H);
    return mayBe ? this.#waiting.toString('latin1', 0, bytes) : undefined;
  }

  readonly #onTaken = (): void => {
    this.#sent?.taken();
    this.#sent = undefined;
    if (this.#waiting.length > 0) line.add(this);
  };

  #pieceBytes(): number {
    return this.#bodyBytes > 0 ? this.#bodyBytes : PIECE_BYTES;
  }
}

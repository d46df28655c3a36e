import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Caller } from './endpoints/api.ts';
import type { AnswersAtHand } from './transport/answers-at-hand.ts';
import { ANSWER_HEADERS } from './transport/cors.ts';
import { httpDate } from './transport/http-date.ts';
import { type ClientAddress, clientAddress } from './transport/client-address.ts';
import { parseInTurns } from './transport/parse-in-turns.ts';
import { admit, type Room, type Share, shareOf } from './transport/room.ts';
import type { ServedHosts } from './transport/served-hosts.ts';
import { type HttpReply, textReply } from './endpoints/service.ts';
import { parseSimpleHead, type SimpleHead } from './transport/simple-head.ts';
import { tally } from './transport/tally.ts';

/** What is served on the fast lane, and under which names. */
export interface LaneService {
  readonly hosts: ServedHosts;
  /** Counts connections, and the bytes they hold. */
  readonly room: Room;
  /** Answers a request to the API that came as a whole; must not reject. */
  answer(path: string, body: Buffer, from: Caller): Promise<HttpReply>;
  /** Answers to what is not for this lane. */
  readonly atHand?: AnswersAtHand;
}

/** How long a connection may stay silent before its first request and between requests, in milliseconds. */
export interface LaneTimeouts {
  readonly first: number;
  readonly idle: number;
}

/** The connections on the fast lane, which the server does not know to be idle or busy. */
export interface FastLane {
  closeIdle(): void;
  closeAll(): void;
}

const NO_ROOM = textReply(503, 'The network holds too many requests; try again in a moment.');
const HEAD_END = Buffer.from('\r\n\r\n');
/** While this many bytes of requests that were sent ahead are kept, nothing more is read of the connection. */
const MAX_PENDING_BYTES = 64 * 1024;
const FIXED_HEADERS = Object.entries(ANSWER_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/**
 * Puts a fast lane before an HTTP server. A request as agents send it, whole in one piece and with plain headers, is
 * answered without the server's parser and streams, which cost more than the answer itself. At the first request that
 * is anything else, the connection goes to the server for good, with all that was not answered yet: slow and malformed
 * requests, timeouts and limits are the server's business only.
 */
export function addFastLane(server: Server, service: LaneService, timeouts: LaneTimeouts): FastLane {
  const connections = new Set<FastConnection>();
  // A server has one listener, which attaches its parser to the socket.
  const [attachParser] = server.listeners('connection') as [(this: Server, socket: Socket) => void];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (!admit(socket, service.room)) return;
    const connection = new FastConnection(socket, service, timeouts, {
      ended: () => connections.delete(connection),
      handOver() {
        attachParser.call(server, socket);
        parseInTurns(socket, service.atHand);
      },
    });
    connections.add(connection);
  });
  return {
    closeIdle() {
      for (const connection of connections) connection.closeIfIdle();
    },
    closeAll() {
      for (const connection of connections) connection.close();
    },
  };
}

interface Owner {
  /** The connection is closed or no longer on the fast lane. */
  ended(): void;
  /** Gives the socket to the server; what was not answered is waiting in it. */
  handOver(): void;
}

/** Waiting for a request, for its answer, or for the client to take the answer. */
type Phase = 'idle' | 'answering' | 'sending';

class FastConnection {
  readonly #socket: Socket;
  readonly #service: LaneService;
  readonly #timeouts: LaneTimeouts;
  readonly #owner: Owner;
  /** Asked for once: it is a call to the system. */
  readonly #address: ClientAddress;
  /** What this connection holds: the request that is worked on, what was sent ahead of the next one, and an answer until it is taken. */
  readonly #share: Share | undefined;
  readonly #ahead: Share | undefined;
  readonly #answers: Share | undefined;
  #pending: Buffer = Buffer.alloc(0);
  #phase: Phase = 'idle';
  /** The client sends nothing more; what it sent before is still answered. */
  #clientEnded = false;
  #closing = false;
  /** Clients send the same head again and again. */
  #lastHead = '';
  #lastParsed: SimpleHead | undefined;

  constructor(socket: Socket, service: LaneService, timeouts: LaneTimeouts, owner: Owner) {
    this.#socket = socket;
    this.#service = service;
    this.#timeouts = timeouts;
    this.#owner = owner;
    this.#address = clientAddress(socket.remoteAddress);
    const drop = (): void => void socket.destroy();
    this.#share = shareOf(socket, 'requests', drop);
    this.#ahead = shareOf(socket, 'ahead', drop);
    this.#answers = shareOf(socket, 'answers', drop);
    socket.setTimeout(timeouts.first);
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('timeout', this.#onTimeout);
    socket.on('close', this.#onClose);
  }

  /** A connection that is answering closes when it is done. */
  closeIfIdle(): void {
    this.#closing = true;
    if (this.#phase === 'idle') this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#phase === 'idle') this.#next();
    else if (this.#ahead?.set(this.#pending.length) === false) this.#socket.destroy();
    else if (this.#pending.length >= MAX_PENDING_BYTES) this.#socket.pause();
  };

  readonly #onEnd = (): void => {
    this.#clientEnded = true;
    if (this.#phase === 'idle') this.#socket.end();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onTimeout = (): void => {
    if (this.#phase !== 'answering') this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#share?.release();
    this.#ahead?.release();
    this.#answers?.release();
    this.#owner.ended();
  };

  #next(): void {
    const pending = this.#pending;
    if (pending.length === 0) {
      if (this.#clientEnded) this.#socket.end();
      return;
    }
    const headEnd = pending.indexOf(HEAD_END);
    const head = headEnd < 0 ? undefined : this.#parse(pending.toString('latin1', 0, headEnd));
    const bodyStart = headEnd + HEAD_END.length;
    if (!head || pending.length < bodyStart + head.contentLength) return this.#leave();
    const bodyEnd = bodyStart + head.contentLength;
    this.#pending = pending.subarray(bodyEnd);
    this.#phase = 'answering';
    const body = pending.subarray(bodyStart, bodyEnd);
    if (this.#ahead?.set(this.#pending.length) === false) {
      this.#socket.destroy();
      return;
    }
    if (this.#share?.hold(bodyEnd) === false) {
      tally.turnedAway();
      return this.#reply(NO_ROOM);
    }
    const from = { address: this.#address, requestId: head.requestId };
    void this.#service.answer(head.path, body, from).then((reply) => this.#reply(reply));
  }

  #parse(head: string): SimpleHead | undefined {
    if (head !== this.#lastHead) {
      this.#lastHead = head;
      this.#lastParsed = parseSimpleHead(head, this.#service.hosts);
    }
    return this.#lastParsed;
  }

  #reply(reply: HttpReply): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    this.#phase = 'sending';
    // Reading and writing begin the time again; to set it makes a new timer.
    if (socket.timeout !== this.#timeouts.idle) socket.setTimeout(this.#timeouts.idle);
    const isLast = this.#closing || (this.#clientEnded && this.#pending.length === 0);
    this.#share?.release();
    const answer = this.#encode(reply, isLast);
    const isTaken = socket.write(answer);
    if (!isTaken && this.#answers?.hold(answer.length) === false) {
      socket.destroy();
      return;
    }
    if (isLast) socket.end();
    else if (isTaken) this.#goOn();
    else socket.once('drain', this.#goOn);
  }

  readonly #goOn = (): void => {
    this.#phase = 'idle';
    this.#answers?.release();
    const socket = this.#socket;
    if (this.#pending.length < MAX_PENDING_BYTES && socket.isPaused()) socket.resume();
    if (this.#closing) socket.end();
    else this.#next();
  };

  #encode({ status, contentType, body }: HttpReply, isLast: boolean): Buffer {
    const keep = isLast
      ? 'connection: close\r\n'
      : `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(this.#timeouts.idle / 1000)}\r\n`;
    const head =
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${FIXED_HEADERS}` +
      (contentType ? `content-type: ${contentType}\r\n` : '') +
      `content-length: ${body?.length ?? 0}\r\ndate: ${httpDate()}\r\n${keep}\r\n`;
    const bytes = Buffer.allocUnsafe(head.length + (body?.length ?? 0));
    bytes.write(head, 'latin1');
    if (body) bytes.set(body, head.length);
    return bytes;
  }

  #leave(): void {
    const socket = this.#socket;
    // Nothing can be put back into a socket that has ended.
    if (this.#clientEnded) {
      socket.end();
      return;
    }
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('timeout', this.#onTimeout);
    socket.off('close', this.#onClose);
    socket.setTimeout(0);
    this.#ahead?.release();
    this.#owner.ended();
    socket.pause();
    socket.unshift(this.#pending);
    this.#owner.handOver();
    socket.resume();
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { LiveSubject, ServerEvent } from '@cannery/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { type ChannelParts, LiveChannel } from './live-channel.ts';

/** A service whose stream tests write by hand. */
class Service {
  readonly opened: { send(event: Partial<ServerEvent>): void; cut(): void; isOpen: boolean }[] = [];
  /** What it refuses the next streams with. */
  refusal: ApiError | undefined;
  asked = 0;

  get open(): number {
    return this.opened.filter(({ isOpen }) => isOpen).length;
  }

  readonly openStream: ChannelParts['openStream'] = async (signal) => {
    this.asked += 1;
    if (this.refusal !== undefined) throw this.refusal;
    let enqueue: (event: ServerEvent) => void = () => undefined;
    let end: (error?: Error) => void = () => undefined;
    const body = new ReadableStream<ServerEvent>({
      start(controller) {
        enqueue = (event) => controller.enqueue(event);
        end = (error) => (error ? controller.error(error) : controller.close());
      },
    });
    const one = {
      isOpen: true,
      send: (event: Partial<ServerEvent>) =>
        enqueue({ type: 'changed', data: '[]', id: undefined, ...event }),
      cut: () => {
        if (one.isOpen) end();
        one.isOpen = false;
      },
    };
    signal.addEventListener('abort', () => {
      if (one.isOpen) end(new DOMException('Aborted', 'AbortError'));
      one.isOpen = false;
    });
    this.opened.push(one);
    return body;
  };

  tell(...subjects: unknown[]): void {
    this.opened.find(({ isOpen }) => isOpen)?.send({ data: JSON.stringify(subjects) });
  }
}

class Tab extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
  readonly news: LiveSubject[] = [];
  signedOut = 0;
  readonly channel: LiveChannel;

  constructor(service: Service, parts: Partial<ChannelParts> = {}) {
    super();
    this.channel = new LiveChannel({
      locks: navigator.locks,
      openDoor: (name) => new BroadcastChannel(name),
      openStream: service.openStream,
      visibility: this as unknown as ChannelParts['visibility'],
      onNews: (subjects) => this.news.push(...subjects),
      onSignedOut: () => {
        this.signedOut += 1;
      },
      ...parts,
    });
    tabs.push(this);
  }

  show(visibilityState: DocumentVisibilityState): void {
    this.visibilityState = visibilityState;
    this.dispatchEvent(new Event('visibilitychange'));
  }

  count(kind: LiveSubject['kind']): number {
    return this.news.filter((subject) => subject.kind === kind).length;
  }
}

const tabs: Tab[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const tab of tabs.splice(0)) tab.channel.stop();
});

const refused = (status: number): ApiError =>
  ApiError.fromAnswer(status, { error: 'No.', message: 'No.', code: 'x' });

test('tabs that are on show hold one connection, and each gets its news; when its holder goes the next one holds it', async () => {
  const service = new Service();
  const first = new Tab(service);
  await expect.poll(() => service.open).toBe(1);
  const others = [new Tab(service), new Tab(service)];
  await delay(50);
  expect([service.open, service.asked]).toEqual([1, 1]);
  // The page that opens the stream at its start has nothing old.
  expect(first.news).toEqual([]);
  service.tell({ kind: 'balance' });
  for (const tab of [first, ...others]) await expect.poll(() => tab.count('balance')).toBe(1);

  first.channel.stop();
  await expect.poll(() => service.asked).toBe(2);
  await delay(50);
  expect(service.open).toBe(1);
  // What was told in between, nobody has heard.
  service.tell({ kind: 'repositories' });
  for (const tab of others) {
    await expect.poll(() => tab.count('repositories')).toBe(1);
    expect(tab.count('balance')).toBe(1);
  }
  expect(first.count('repositories')).toBe(0);
});

test('a tab that nobody sees holds no connection but hears what the others do; shown again it asks for everything', async () => {
  const service = new Service();
  const hidden = new Tab(service);
  await expect.poll(() => service.open).toBe(1);
  hidden.show('hidden');
  expect(service.open).toBe(0);
  const seen = new Tab(service);
  await expect.poll(() => service.open).toBe(1);
  service.tell({ kind: 'balance' });
  await expect.poll(() => [seen.count('balance'), hidden.count('balance')]).toEqual([1, 1]);
  seen.show('hidden');
  expect(service.open).toBe(0);
  hidden.show('visible');
  await expect.poll(() => service.open).toBe(1);
  await expect.poll(() => hidden.count('all')).toBeGreaterThan(0);
});

test.each(['locks', 'openDoor'] as const)('without %s each tab on show holds a connection', async (part) => {
  const service = new Service();
  const pair = [new Tab(service, { [part]: undefined }), new Tab(service, { [part]: undefined })];
  await expect.poll(() => service.open).toBe(2);
  service.tell({ kind: 'balance' });
  await expect.poll(() => pair.map((tab) => tab.count('balance'))).toEqual([1, 0]);
});

test('a service without the stream is asked once, and nothing is said of it', async () => {
  const service = new Service();
  service.refusal = refused(404);
  const tab = new Tab(service);
  await expect.poll(() => service.asked).toBe(1);
  tab.show('hidden');
  tab.show('visible');
  await delay(50);
  expect([service.asked, tab.news, tab.signedOut]).toEqual([1, [], 0]);
});

test('a stream that was cut is opened again, later and later, and what was missed is asked for', async () => {
  vi.useFakeTimers();
  const service = new Service();
  const tab = new Tab(service, { locks: undefined });
  await vi.advanceTimersByTimeAsync(0);
  expect([service.open, tab.news]).toEqual([1, []]);
  service.opened[0]?.cut();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([service.open, tab.count('all')]).toEqual([1, 1]);

  service.refusal = ApiError.unreachable(new TypeError('Failed to fetch'));
  service.opened[1]?.cut();
  const before = service.asked;
  const asked: number[] = [];
  for (let second = 1; second <= 60; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    if (service.asked > before + asked.length) asked.push(second);
  }
  expect(asked).toEqual([1, 3, 7, 15, 30, 45, 60]);
  service.refusal = undefined;
  await vi.advanceTimersByTimeAsync(15_000);
  expect([service.open, tab.count('all')]).toEqual([1, 2]);
});

test('where there are too many streams it is asked again after ten seconds', async () => {
  vi.useFakeTimers();
  const service = new Service();
  service.refusal = refused(429);
  const tab = new Tab(service, { locks: undefined });
  await vi.advanceTimersByTimeAsync(9_900);
  expect(service.asked).toBe(1);
  service.refusal = undefined;
  await vi.advanceTimersByTimeAsync(200);
  expect([service.asked, service.open, tab.count('all')]).toEqual([2, 1, 1]);
});

test('the end of the session is told once, and the stream is not opened again', async () => {
  vi.useFakeTimers();
  const service = new Service();
  const tab = new Tab(service, { locks: undefined });
  await vi.advanceTimersByTimeAsync(0);
  service.opened[0]?.send({ type: 'signed_out', data: '{}' });
  service.opened[0]?.cut();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([tab.signedOut, service.asked]).toEqual([1, 1]);
});

test('what a newer service tells of is left out, and the rest is taken', async () => {
  const service = new Service();
  const tab = new Tab(service, { locks: undefined });
  await expect.poll(() => service.open).toBe(1);
  service.opened[0]?.send({ type: 'something', data: 'x' });
  service.tell({ kind: 'new' }, 'text', { kind: 'canisters' }, { kind: 'canisters', id: 'c' });
  await expect.poll(() => tab.news).toEqual([{ kind: 'canisters', id: 'c' }]);
});

test('a stream is opened again after a sleep, where this page holds it, and all that was missed is asked for', async () => {
  const service = new Service();
  const holder = new Tab(service);
  await expect.poll(() => service.open).toBe(1);
  const other = new Tab(service);
  await delay(50);
  other.channel.reopen();
  await expect.poll(() => service.open).toBe(1);
  expect(service.asked).toBe(1);
  holder.channel.reopen();
  await expect.poll(() => service.asked).toBe(2);
  // Whichever of the two holds it now, the one that had it asks for what it has missed.
  await expect.poll(() => [service.open, holder.count('all')]).toEqual([1, 1]);
  service.tell({ kind: 'balance' });
  await expect.poll(() => [holder.count('balance'), other.count('balance')]).toEqual([1, 1]);
  other.channel.stop();
  await expect.poll(() => [service.open, service.asked]).toEqual([1, 3]);
  holder.channel.stop();
  holder.channel.reopen();
  await delay(50);
  expect([service.open, service.asked]).toEqual([0, 3]);
});

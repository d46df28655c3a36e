import type { SignIdentity } from '@icp-sdk/core/agent';
import { useEffect, useState } from 'react';
import { forgetKeys, keptIdentity, newIdentity } from './kept-identity.ts';
import { PemError } from './read-pem.ts';

/** Whether the page last called with the browser's identity. */
const CHOICE = 'candid-caller';

/** In which way the page calls: as nobody, with a key that the browser keeps, with an imported one, or through the console. */
export type CallerWay = 'anonymous' | 'browser' | 'key' | 'console';

/** As whom the page calls. */
export interface Caller {
  readonly way: CallerWay;
  /** The identity that signs; undefined for anonymous calls and for those of the console. */
  readonly identity: SignIdentity | undefined;
  /** The principal of the caller as text; undefined for anonymous calls. */
  readonly principal: string | undefined;
  /** Whether the console can call; it is offered then. */
  readonly hasConsole: boolean;
  /** Why there is no identity to be had in this browser; undefined when there is. */
  readonly problem: string | undefined;
  readonly beAnonymous: () => void;
  /** Calls with the browser's identity; makes one when there is none. */
  readonly beMyself: () => Promise<void>;
  /** Calls through the console, which controls the canister. */
  readonly beConsole: () => void;
  /** Whether a key has been imported since the page was opened. */
  readonly hasKey: boolean;
  /** Calls with the imported key. */
  readonly beKey: () => void;
  /** Calls with the key of a PEM text, and holds it as long as the page is open. Answers what is wrong with the text, if anything. */
  readonly importKey: (pem: string) => Promise<string | undefined>;
  /** Lets go of the imported key; calls are anonymous from then on. */
  readonly dropKey: () => void;
  /** Replaces the browser's identity. */
  readonly renew: () => Promise<void>;
  /** Deletes the browser's identity; calls are anonymous from then on. */
  readonly forget: () => Promise<void>;
}

const NO_IDENTITY =
  'This browser cannot keep a key here. Use a current one, not a private window, and an address with https or localhost.';

/**
 * As whom the page calls; undefined until that is known. The browser's identity is kept across visits, and the choice of
 * it; every other caller has to be chosen each time.
 * @param consolePrincipal principal of the console, where it can call
 */
export function useCaller(consolePrincipal: string | undefined): Caller | undefined {
  const [isKnown, setKnown] = useState(false);
  const [way, setWay] = useState<CallerWay>('anonymous');
  const [own, setOwn] = useState<SignIdentity>();
  const [key, setKey] = useState<SignIdentity>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isGone = false;
    const find = async (): Promise<void> => {
      const wanted = localStorage.getItem(CHOICE) === 'browser';
      const kept = wanted ? await keptIdentity().catch(() => undefined) : undefined;
      if (isGone) return;
      setOwn(kept);
      if (kept) setWay('browser');
      setKnown(true);
    };
    void find();
    return () => {
      isGone = true;
    };
  }, []);

  const take = async (find: () => Promise<SignIdentity>): Promise<void> => {
    try {
      setOwn(await find());
      setWay('browser');
      setProblem(undefined);
      localStorage.setItem(CHOICE, 'browser');
    } catch {
      setProblem(NO_IDENTITY);
    }
  };
  const be = (next: CallerWay): void => {
    localStorage.removeItem(CHOICE);
    setProblem(undefined);
    setWay(next);
  };
  const importKey = async (pem: string): Promise<string | undefined> => {
    const { pemIdentity } = await import('./pem-identity.ts');
    try {
      setKey(pemIdentity(pem));
    } catch (error) {
      if (error instanceof PemError) return error.message;
      throw error;
    }
    be('key');
    return undefined;
  };

  if (!isKnown) return undefined;
  // The console may have lost the canister since it was chosen.
  const current = way === 'console' && consolePrincipal === undefined ? 'anonymous' : way;
  const identity = { anonymous: undefined, browser: own, key, console: undefined }[current];
  return {
    way: current,
    identity,
    principal: current === 'console' ? consolePrincipal : identity?.getPrincipal().toText(),
    hasConsole: consolePrincipal !== undefined,
    problem,
    beAnonymous: () => be('anonymous'),
    beMyself: () => take(async () => (await keptIdentity()) ?? newIdentity()),
    beConsole: () => be('console'),
    hasKey: key !== undefined,
    beKey: () => be('key'),
    importKey,
    dropKey: () => {
      setKey(undefined);
      be('anonymous');
    },
    renew: () => take(newIdentity),
    forget: async () => {
      await forgetKeys();
      setOwn(undefined);
      be('anonymous');
    },
  };
}

import { useEffect, useState } from 'react';
import { forgetKeys } from '../kept/key-store.ts';
import type { BrowserIdentity } from './browser-identity.ts';
import { keptIdentity, newIdentity } from './kept-identity.ts';

/** Whether the page last called with the browser's identity. */
const CHOICE = 'candid-caller';

/** As whom the page calls. */
export interface Caller {
  /** The identity that signs; undefined for anonymous calls. */
  readonly identity: BrowserIdentity | undefined;
  /** The principal of the identity as text; undefined for anonymous calls. */
  readonly principal: string | undefined;
  /** Why there is no identity to be had in this browser; undefined when there is. */
  readonly problem: string | undefined;
  readonly beAnonymous: () => void;
  /** Calls with the browser's identity; makes one when there is none. */
  readonly beMyself: () => Promise<void>;
  /** Replaces the browser's identity. */
  readonly renew: () => Promise<void>;
  /** Deletes the browser's identity; calls are anonymous from then on. */
  readonly forget: () => Promise<void>;
}

const NO_IDENTITY =
  'This browser cannot keep a key here. Use a current one, not a private window, and an address with https or localhost.';

/** As whom the page calls, kept across visits; undefined until that is known. */
export function useCaller(): Caller | undefined {
  const [isKnown, setKnown] = useState(false);
  const [identity, setIdentity] = useState<BrowserIdentity>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    let isGone = false;
    const find = async (): Promise<void> => {
      const wanted = localStorage.getItem(CHOICE) === 'browser';
      const kept = wanted ? await keptIdentity().catch(() => undefined) : undefined;
      if (isGone) return;
      setIdentity(kept);
      setKnown(true);
    };
    void find();
    return () => {
      isGone = true;
    };
  }, []);

  const take = async (find: () => Promise<BrowserIdentity>): Promise<void> => {
    try {
      setIdentity(await find());
      setProblem(undefined);
      localStorage.setItem(CHOICE, 'browser');
    } catch {
      setProblem(NO_IDENTITY);
    }
  };
  const beAnonymous = (): void => {
    localStorage.removeItem(CHOICE);
    setIdentity(undefined);
  };
  if (!isKnown) return undefined;
  return {
    identity,
    principal: identity?.getPrincipal().toText(),
    problem,
    beAnonymous,
    beMyself: () => take(async () => (await keptIdentity()) ?? newIdentity()),
    renew: () => take(newIdentity),
    forget: async () => {
      await forgetKeys();
      beAnonymous();
    },
  };
}

import { didToJs, didToTs } from '@ic-reactor/parser';
import { serve } from '../../thread/serve-thread.ts';
import type { Bindings } from './declarations.ts';

/** The interface cannot be translated. */
class NoBindings extends Error {}

/** JavaScript bindings of an interface, without any import. */
async function bindingsOf(candid: string): Promise<Bindings> {
  try {
    return { js: didToJs(candid), ts: didToTs(candid) };
  } catch (error) {
    throw new NoBindings(String(error).split('\n')[0], { cause: error });
  }
}

await serve(bindingsOf, [NoBindings]);

import { type Bindings, bindingsOf } from '@cannery/candid/bindings';
import { serve } from '../../thread/serve-thread.ts';

/** The interface cannot be translated. */
class NoBindings extends Error {}

async function translate(candid: string): Promise<Bindings> {
  try {
    return bindingsOf(candid);
  } catch (error) {
    throw new NoBindings(String(error).split('\n')[0], { cause: error });
  }
}

await serve(translate, [NoBindings]);

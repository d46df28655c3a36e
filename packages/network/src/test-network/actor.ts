import { decodeEncoded } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';

/** How an actor reaches its canister. */
export interface Transport {
  update(method: string, arg: Uint8Array): Promise<Uint8Array>;
  query(method: string, arg: Uint8Array): Promise<Uint8Array>;
}

const READS: ReadonlySet<string> = new Set(['query', 'composite_query']);

/**
 * An object with a method for each one of the interface: it encodes its arguments, calls, and decodes the answer (a list where
 * there are several values). `T` is what the caller says the interface is in TypeScript.
 */
export function createActor<T>(idlFactory: IDL.InterfaceFactory, transport: Transport): T {
  const { _fields: methods } = idlFactory({ IDL });
  const actor: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const [name, { argTypes, retTypes, annotations }] of methods) {
    const isRead = annotations.some((each) => READS.has(each));
    actor[name] = async (...args) => {
      if (args.length !== argTypes.length)
        throw new TypeError(`${name} takes ${argTypes.length} arguments, not ${args.length}.`);
      const arg = new Uint8Array(IDL.encode(argTypes, args));
      const reply = await (isRead ? transport.query(name, arg) : transport.update(name, arg));
      const values = decodeEncoded(reply, retTypes);
      return retTypes.length > 1 ? values : values[0];
    };
  }
  return actor as T;
}

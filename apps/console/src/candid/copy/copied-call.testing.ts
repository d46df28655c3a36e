import { parseService, parseValues } from '@cannery/candid';
import type { CopiedCall } from './copied-call.ts';

/** A call of the one method of an interface. */
export function copiedCall(did: string, args: string, more: Partial<CopiedCall> = {}): CopiedCall {
  const [method] = parseService(did).methods;
  if (!method) throw new Error('the interface has no method');
  return {
    canisterId: 'rrkah-fqaaa-aaaaa-aaaaq-cai',
    method,
    values: parseValues(args, method.args),
    networkUrl: 'http://localhost:8000',
    networkIsLocal: true,
    caller: undefined,
    ...more,
  };
}

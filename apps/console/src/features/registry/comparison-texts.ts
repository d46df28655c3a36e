import type { RegistryComparison } from '@cannery/contract';
import { byteSize } from '../../lib/text/byte-size.ts';

/** What has become of a method, as the end of a sentence that begins with its name. */
export function methodText({ before, after }: RegistryComparison['methods'][number]): string {
  if (before === null) return `is new: ${after ?? ''}`;
  if (after === null) return `is gone: ${before}`;
  return `was ${before} and is ${after}`;
}

/** How a size changes, in bytes: '512 B smaller', '1.50 MiB larger', 'the same size'. */
export function sizeChange(before: number, after: number): string {
  if (before === after) return 'the same size';
  return `${byteSize(Math.abs(after - before))} ${after < before ? 'smaller' : 'larger'}`;
}

import type { CanisterSnapshot } from '@cannery/contract';
import { tableDate } from '../../../lib/text/formats.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';

/** How a snapshot is told apart in a sentence or a list: by its moment and size. */
export function snapshotName({ taken_at, total_size }: CanisterSnapshot): string {
  return `${tableDate(taken_at)}, ${byteSize(total_size)}`;
}

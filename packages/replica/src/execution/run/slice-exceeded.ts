/**
 * The work at hand needs more than the engine thread gives at a time. Nothing of it may be kept: it is to be done
 * again, from the start, in a heavy worker.
 */
export class SliceExceeded extends Error {
  override readonly name = 'SliceExceeded';
}

import { startTransition, useEffect, useState } from 'react';
import { afterNextFrame } from './next-frame.ts';

/**
 * The value once a frame with it has been painted: for what takes longer than a frame to work out of it. A deferred value begins before
 * that, and takes the processor from the frame where there are few of them.
 */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterNextFrame(() => startTransition(() => setPainted(value))), [value]);
  return painted;
}

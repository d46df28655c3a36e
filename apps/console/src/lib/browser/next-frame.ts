import { startTransition, useEffect, useState } from 'react';

/** Longest wait for a frame in milliseconds: a window that is covered gets none. */
const FRAME_MS = 100;

/**
 * Calls back when the browser has painted what came of the last click or key. The frame after it is waited for as well: the first one
 * is drawn by other threads, from which a long task would take the processor where there are few.
 * @returns what calls that off
 */
export function afterNextFrame(run: () => void): () => void {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  let frame = 0;
  let timer: ReturnType<typeof setTimeout>;
  const end = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const done = (): void => {
    end();
    run();
  };
  timer = setTimeout(done, FRAME_MS);
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      // What is painted is decided now; the task after it comes when that has been done.
      timer = setTimeout(done);
    });
  });
  return end;
}

/**
 * The value once a frame with it has been painted: for what takes longer than a frame to work out of it. A deferred value begins before
 * that, and takes the processor from the frame where there are few of them.
 */
export function usePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value);
  useEffect(() => afterNextFrame(() => startTransition(() => setPainted(value))), [value]);
  return painted;
}

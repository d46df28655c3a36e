/** Longest wait for a frame in milliseconds: a window that is covered gets none. */
const FRAME_MS = 100;

/**
 * Calls back when the browser has painted what came of the last click or key. The frame after it is waited for as well: the first one
 * is drawn by other threads, from which a long task would take the processor where there are few.
 * @returns what calls that off
 */
export function afterNextFrame(run: () => void): () => void {
  let frame = 0;
  const done = (): void => {
    cancelAnimationFrame(frame);
    run();
  };
  let timer = setTimeout(done, document.visibilityState === 'hidden' ? 0 : FRAME_MS);
  frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      clearTimeout(timer);
      // What is painted is decided now; the task after it comes when that has been done.
      timer = setTimeout(done);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** The animation of pages and cards that come in, as the style sheet names it, and how long it takes in milliseconds (CONST-09). */
const ENTRANCE = 'entrance';
const ENTRANCE_MS = 1_000;
/** What begins so soon after a click or key, in milliseconds, was on its way before: the browser tells of it in a frame that follows. */
const ON_ITS_WAY_MS = 50;

/**
 * Ends it as soon as somebody types or clicks, and lets none begin while somebody types: the browser draws each of its frames in full,
 * and the answer to a key would have to wait for them. @returns what ends that
 */
export function endEntrancesOnInput(): () => void {
  let coming: Animation[] = [];
  let typedAt = Number.NEGATIVE_INFINITY;
  let inputAt = Number.NEGATIVE_INFINITY;
  const now = (): number => Number(document.timeline.currentTime ?? 0);
  const endAll = (): void => {
    for (const animation of coming) if (isRunning(animation)) animation.finish();
    coming = [];
  };
  const onStart = ({ animationName, target, timeStamp }: AnimationEvent): void => {
    if (animationName !== ENTRANCE) return;
    coming = [...coming, ...(target as Element).getAnimations()].filter(
      (animation) =>
        'animationName' in animation && animation.animationName === ENTRANCE && isRunning(animation),
    );
    if (timeStamp - typedAt < ENTRANCE_MS || now() - inputAt < ON_ITS_WAY_MS) endAll();
  };
  const onInput = ({ type, target, timeStamp }: Event): void => {
    if (type === 'keydown' && target instanceof HTMLInputElement) typedAt = timeStamp;
    inputAt = now();
    endAll();
  };
  const ended = new AbortController();
  const { signal } = ended;
  addEventListener('animationstart', onStart, { signal });
  for (const input of ['keydown', 'pointerdown']) addEventListener(input, onInput, { capture: true, signal });
  return () => ended.abort();
}

function isRunning({ playState }: Animation): boolean {
  return playState === 'running';
}

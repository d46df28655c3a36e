/** The animation of pages and cards that come in, as the style sheet names it, and how long it takes in milliseconds (CONST-09). */
const ENTRANCE = 'entrance';
const ENTRANCE_MS = 1_000;

/**
 * Ends it as soon as somebody types or clicks, and lets none begin while somebody types: the browser draws each of its frames in full,
 * and the answer to a key would have to wait for them. @returns what ends that
 */
export function endEntrancesOnInput(): () => void {
  let coming: Animation[] = [];
  let typedAt = Number.NEGATIVE_INFINITY;
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
    if (timeStamp - typedAt < ENTRANCE_MS) endAll();
  };
  const onInput = ({ type, target, timeStamp }: Event): void => {
    if (type === 'keydown' && target instanceof HTMLInputElement) typedAt = timeStamp;
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

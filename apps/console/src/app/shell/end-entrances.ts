/** The animation of pages and cards that come in, as the style sheet names it; it lasts a second (CONST-09). */
const ENTRANCE = 'entrance';

/**
 * Ends it as soon as somebody types or clicks: the browser draws each of its frames in full, and the answer to a key would have to
 * wait for them. @returns what ends that
 */
export function endEntrancesOnInput(): () => void {
  let coming: Animation[] = [];
  const onStart = ({ animationName, target }: AnimationEvent): void => {
    if (animationName !== ENTRANCE) return;
    coming = [...coming, ...(target as Element).getAnimations()].filter(
      (animation) =>
        'animationName' in animation && animation.animationName === ENTRANCE && isRunning(animation),
    );
  };
  const onInput = (): void => {
    for (const animation of coming) if (isRunning(animation)) animation.finish();
    coming = [];
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

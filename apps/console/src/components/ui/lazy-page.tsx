import { type ReactNode, use } from 'react';

type Page<Props> = (props: Props) => ReactNode;

/** A component of which nobody asks here what it draws: pages know the types of the router, which would ask them for theirs. */
type Loadable<Props> = (props: Props) => void;

/** A component whose code comes later; `preload` asks for it before it is drawn, and never rejects. */
type LazyPage<Props extends object> = Page<Props> & { readonly preload: () => Promise<void> };

/**
 * A component whose code is loaded when it is drawn first, and again after a failure: whoever catches that may draw it once more. The
 * page is never loaded again from here, since a browser without a connection would put its own error page in its place.
 * @param name under which the module has the component
 */
export function lazyPage<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, Loadable<Props>>>>,
  name: Name,
): LazyPage<Props> {
  let Loaded: Page<Props> | undefined;
  let loading: Promise<void> | undefined;
  /** Of a load that was waited for; one that came too early says nothing. */
  let failure: { readonly error: unknown } | undefined;
  let isAwaited = false;

  const preload = (): Promise<void> => {
    loading ??= load().then(
      (module) => {
        Loaded = module[name] as Page<Props>;
      },
      (error: unknown) => {
        if (isAwaited) failure = { error };
        isAwaited = false;
        loading = undefined;
      },
    );
    return loading;
  };

  function Lazy(props: Props): ReactNode {
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (failure !== undefined) {
      // React draws what has failed a second time at once; the next time is another attempt.
      setTimeout(() => {
        failure = undefined;
      });
      throw failure.error;
    }
    isAwaited = true;
    use(preload());
    return null;
  }

  return Object.assign(Lazy, { preload });
}

import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { forgetLoaded } from './forget-loaded.ts';

test('what pages were loaded with for one user is not shown to the next', async () => {
  let load = (): Promise<string> => Promise.resolve("the first user's");
  const root = createRootRoute();
  const page = (path: string) => createRoute({ getParentRoute: () => root, path, loader: () => load() });
  const router = createRouter({
    routeTree: root.addChildren([
      page('/site'),
      page('/other'),
      createRoute({ getParentRoute: () => root, path: '/login' }),
    ]),
    history: createMemoryHistory({ initialEntries: ['/other'] }),
    origin: 'http://console.invalid',
    isServer: false,
  });
  await router.load();
  await router.navigate({ href: '/site' });
  await forgetLoaded(router, router.navigate({ to: '/login' }));

  const { promise, resolve } = Promise.withResolvers<string>();
  load = () => promise;
  for (const href of ['/other', '/site']) {
    const going = router.navigate({ href }).then(() => 'there');
    const soon = new Promise<string>((tell) => setTimeout(tell, 50, 'waits'));
    expect(await Promise.race([going, soon]), href).toBe('waits');
  }
  resolve("the next user's");
  await router.load();
  expect(router.state.matches.at(-1)?.loaderData).toBe("the next user's");
});

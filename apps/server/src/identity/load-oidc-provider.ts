type OidcProvider = typeof import('oidc-provider');

/**
 * Loads the provider library, only when it is used. While it loads it complains about every Node that does not call
 * itself a long-term release, which the bundled one does not yet; that is of no use to whoever starts the product.
 */
export function loadOidcProvider(): Promise<OidcProvider> {
  loading ??= load();
  return loading;
}

let loading: Promise<OidcProvider> | undefined;

async function load(): Promise<OidcProvider> {
  const { warn } = console;
  Reflect.set(console, 'warn', () => {});
  try {
    return await import('oidc-provider');
  } finally {
    Reflect.set(console, 'warn', warn);
  }
}

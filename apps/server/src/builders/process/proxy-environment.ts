/** A name nobody has: no address is exempt from the proxy, and npm takes an empty list for none given. */
const NONE = 'none.invalid';

/** The variables by which npm, git, curl, Node and most other programs find a proxy. */
export function proxyEnvironment(address: string): Record<string, string> {
  return {
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    http_proxy: address,
    https_proxy: address,
    NO_PROXY: NONE,
    no_proxy: NONE,
    NODE_USE_ENV_PROXY: '1',
    YARN_HTTP_PROXY: address,
    YARN_HTTPS_PROXY: address,
    npm_config_proxy: address,
    npm_config_https_proxy: address,
    npm_config_noproxy: NONE,
  };
}

/** A project with one package and a lock file, in a folder of the repository. */
export function locked(port: number, name: string, folder = '.'): Record<string, string> {
  const dependencies = { honest: '1.0.0' };
  return {
    [`${folder}/package.json`]: JSON.stringify({
      name,
      version: '1.0.0',
      dependencies,
      scripts: { prepare: 'echo own' },
    }),
    [`${folder}/package-lock.json`]: JSON.stringify({
      name,
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name, version: '1.0.0', dependencies },
        'node_modules/honest': {
          version: '1.0.0',
          resolved: `http://127.0.0.1:${port}/honest/-/honest-1.0.0.tgz`,
        },
      },
    }),
  };
}

/**
 * A build command that says what it reaches, through the way out if it has one. It names the whole address to the proxy,
 * as npm does for plain http; what `fetch` does there differs between versions of Node.
 */
export function reach(registryPage: string, canary: string): string {
  const ask = `const ask = (name, address) => new Promise((resolve) => {
    const proxy = process.env.HTTP_PROXY === undefined ? undefined : new URL(process.env.HTTP_PROXY);
    const { hostname, port } = proxy ?? new URL(address);
    const login = proxy && Buffer.from(proxy.username + ':' + proxy.password).toString('base64');
    const headers = login && proxy.username !== '' ? { 'Proxy-Authorization': 'Basic ' + login } : {};
    const say = (what) => resolve(console.log(name + ': ' + what));
    const { get } = require('node:http');
    get({ hostname, port, path: address, headers, agent: false }, ({ statusCode }) => say(statusCode))
      .on('error', () => say('away'));
  });`;
  return `${ask} ask('registry', '${registryPage}').then(() => ask('canary', '${canary}'));`;
}

/** A project whose lock file names a version of a package, but not where it lies, so that the registry has to tell. */
export function unlocated(name: string, version: string): Record<string, string> {
  const dependencies = { [name]: version };
  const packages = { '': { version, dependencies }, [`node_modules/${name}`]: { version } };
  return {
    'package.json': JSON.stringify({ version, dependencies }),
    'package-lock.json': JSON.stringify({ version, lockfileVersion: 3, packages }),
    'index.html': '',
  };
}

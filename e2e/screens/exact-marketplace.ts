type Fields = Record<string, unknown>;

/** The smallest picture there is: one red point. */
const ICON =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/**
 * The marketplace of a service that knows the specification and nothing of ours: one list of all dapps, whatever a query
 * asks for, no versions, no instances and no samples.
 */
export class ExactMarketplace {
  readonly dapps: Fields[] = [];

  add(fields: Fields): Fields {
    const dapp = {
      id: `dapp-${this.dapps.length + 1}`,
      icon: null,
      git_url: 'https://example.org/ada/shop',
      description: 'Sells flour.',
      wasm: 'wasm-1',
      version: '1.0.0',
      created_at: '2024-03-05T15:07:00.000Z',
      user: { username: 'ada' },
      ...fields,
    };
    this.dapps.unshift(dapp);
    return dapp;
  }

  /** What a call answers; undefined for one of others. @param show lets out of a dapp what it may */
  answer(
    call: string,
    body: Fields,
    show: (dapp: Fields) => unknown,
  ): { status?: number; body: unknown } | undefined {
    if (call === 'GET /marketplace') return { body: this.dapps.map(show) };
    if (call === 'POST /marketplace/submit') return { body: { data: this.add(body)['id'] } };
    if (call === 'POST /document/upload/icon') return { body: { identifier: 'icon-1' } };
    if (call === 'GET /document/get/icon-1') return { body: { data: ICON } };
    const [, changed, read] =
      /^(?:POST \/marketplace\/update\/(.+)|GET \/marketplace\/([^/]+))$/.exec(call) ?? [];
    const dapp = this.dapps.find(({ id }) => id === (changed ?? read));
    if (dapp === undefined) return undefined;
    if (changed === undefined) return { body: show(dapp) };
    Object.assign(dapp, body);
    return { body: {} };
  }
}

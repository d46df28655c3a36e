import { readFileSync } from 'node:fs';
import { createApi, type Product, signIn } from '@cannery/dev-env';
import { expect } from '@playwright/test';
import { createCanister, installModule } from './canisters-of.ts';
import { submitDapp, uniqueModule } from './dapps-of.ts';
import { createDeploy, runDeploy } from './deploys.ts';
import { compileMotoko } from './motoko.ts';
import { addRegistry } from './registries-of.ts';
import { type Owner, pushFiles } from './repositories.ts';

/** A module that answers HTTP, though not with what a gateway can verify. @param note makes it like no other */
function webModule(note: string): Buffer {
  const source = `// ${note}
persistent actor {
  public type Request = { method : Text; url : Text; headers : [(Text, Text)]; body : Blob };
  public type Response = { status_code : Nat16; headers : [(Text, Text)]; body : Blob };
  public query func http_request(_ : Request) : async Response {
    { status_code = 200; headers = [("content-type", "text/plain")]; body = "Hello" };
  };
}`;
  return readFileSync(compileMotoko(source));
}

/** One user with one thing of each kind. Ids, and addresses of pages below the origin of the console. */
export interface LinkedWorld {
  /** A website that a deploy has filled twice. */
  readonly site: string;
  /** An instance of a dapp that somebody else has published and that answers HTTP. */
  readonly instance: string;
  /** Has a version of a registry. */
  readonly bread: string;
  /** Has a file. */
  readonly byHand: string;
  /** Has nothing. */
  readonly empty: string;
  readonly publisher: string;
  readonly commit: string;
  readonly pages: {
    readonly deploy: string;
    readonly run: string;
    readonly repository: string;
    readonly commit: string;
    readonly dapp: string;
    /** A dapp that the user has made from the repository. */
    readonly ownDapp: string;
    readonly registry: string;
  };
}

export async function linkedWorld(product: Product, user: Owner): Promise<LinkedWorld> {
  const { api, name: owner } = user;
  await pushFiles(product, user, 'my-site', { 'index.html': '<h1>First</h1>' });
  const deploy = await createDeploy(user, {
    name: 'my-site',
    repo_name: 'my-site',
    deploy_type: 'STATIC_SITE',
  });
  expect(await runDeploy(user, deploy)).toBe('COMPLETED');
  const commit = await pushFiles(product, user, 'my-site', { 'index.html': '<h1>Second</h1>' });
  expect(await runDeploy(user, deploy)).toBe('COMPLETED');
  const { canisters, deployInstance } = await api.call<{
    canisters: string[];
    deployInstance: { id: string };
  }>('GET', `/deploy/${deploy}`);

  const publisher = `${owner}-maker`;
  const maker = createApi(product.url, await signIn(product.url, publisher));
  const web = webModule(owner);
  const dapp = await submitDapp(maker, { name: `Guestbook of ${owner}`, version: '1.0.1' }, web);
  const instance = await createCanister(api, 'My guestbook');
  await installModule(api, instance, web, { from: `dapp ${dapp}` });
  const source = `${product.url}/${owner}/my-site`;
  const ownDapp = await submitDapp(api, { name: `Site of ${owner}`, git_url: source }, uniqueModule());

  const module = uniqueModule();
  const registry = await addRegistry(api, 'Sourdough', module);
  const bread = await createCanister(api, 'Bread');
  await installModule(api, bread, module, { from: `registry ${registry} 1` });
  const byHand = await createCanister(api, 'By hand');
  await installModule(api, byHand, uniqueModule());
  return {
    site: canisters[0] ?? '',
    instance,
    bread,
    byHand,
    empty: await createCanister(api, 'Empty'),
    publisher,
    commit,
    pages: {
      deploy: `/ics/deploy/${deploy}`,
      run: `/ics/deploy/${deploy}/runs/${deployInstance.id}`,
      repository: `/${owner}/my-site`,
      commit: `/${owner}/my-site/code/${commit}`,
      dapp: `/ics/dapp/${dapp}`,
      ownDapp: `/ics/dapp/${ownDapp}`,
      registry: `/ics/registries?entry=${registry}`,
    },
  };
}

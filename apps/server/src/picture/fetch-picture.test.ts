import { expect, test } from 'vitest';
import { fetchPicture } from './fetch-picture.ts';
import { PictureError } from './picture-error.ts';
import { startPictureHost, trustPictureHost } from './picture-host.testing.ts';

trustPictureHost();

const resolve = (name: string) => Promise.resolve([name === 'pictures.test' ? '127.0.0.1' : '93.184.216.34']);
const known = { mayBePrivate: () => true, resolve };

test('[NAV-16] a picture is fetched, redirects followed', async () => {
  await using host = await startPictureHost((request, response) => {
    if (request.url === '/old') response.writeHead(302, { location: '/new?size=96' }).end();
    else response.end(`bytes of ${request.url} for ${request.headers.authorization ?? 'nobody'}`);
  });
  const base = `https://pictures.test:${host.port}`;
  expect((await fetchPicture(`${base}/old`, known)).toString()).toBe('bytes of /new?size=96 for nobody');
});

test.each([
  'http://pictures.test/a.png',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  '',
  'https://127.0.0.1/a.png',
  'https://[::1]/a.png',
  'https://[::ffff:127.0.0.1]/a.png',
  'https://2130706433/a.png',
  'https://0x7f.1/a.png',
  'https://10.0.0.8/a.png',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00:ec2::254]/latest',
  'https://pictures.test/a.png',
])('[NAV-16] %s is refused before anything is sent', async (address) => {
  await expect(fetchPicture(address, { mayBePrivate: () => false, resolve })).rejects.toThrow(
    /refused|not https|not a public/,
  );
});

test('[NAV-16] a redirect is checked like the first address', async () => {
  let asked = 0;
  await using inner = await startPictureHost((_request, response) => {
    asked += 1;
    response.end('secret');
  });
  await using host = await startPictureHost((request, response) => {
    const targets: Record<string, string> = {
      '/inside': `https://pictures.test:${inner.port}/`,
      '/plain': `http://127.0.0.1:${inner.port}/`,
      '/round': '/round',
      '/nowhere': 'https://[/',
    };
    response.writeHead(302, { location: targets[request.url ?? ''] ?? '/' }).end();
  });
  const options = { mayBePrivate: (_name: string, port: number) => port === host.port, resolve };
  const base = `https://pictures.test:${host.port}`;
  await expect(fetchPicture(`${base}/inside`, options)).rejects.toThrow('not a public address');
  await expect(fetchPicture(`${base}/plain`, options)).rejects.toThrow('not https');
  await expect(fetchPicture(`${base}/nowhere`, options)).rejects.toThrow(PictureError);
  await expect(fetchPicture(`${base}/round`, options)).rejects.toThrow('from one place to another');
  expect(asked).toBe(0);
});

test('[NAV-16] a picture without end, a failure and a host of another name are refused', async () => {
  await using host = await startPictureHost((request, response) => {
    if (request.url === '/gone') return void response.writeHead(404).end();
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      response.once('drain', more);
    };
    more();
  });
  const base = `https://pictures.test:${host.port}`;
  await expect(fetchPicture(`${base}/endless`, known)).rejects.toThrow('larger than 5 MiB');
  await expect(fetchPicture(`${base}/gone`, known)).rejects.toThrow('status 404');
  const elsewhere = { ...known, resolve: () => Promise.resolve(['127.0.0.1']) };
  await expect(fetchPicture(`https://other.test:${host.port}/`, elsewhere)).rejects.toThrow(/altnames/);
});

import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A key that is no secret, and its certificate for pictures.test and localhost, valid until 2126. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgF8CQfivJx1kdTlIq
geeq/0QVQ3AlysmtJwOKnGUEIHqhRANCAASxFZAa9LWRtGc/ZmwOoGQ3QsYtFpXs
yXUBDOSjblvIrLyNEPOo4FTdSM9KtfUv5eOS7/kQ4NunTvcKrcdRMk/s
-----END PRIVATE KEY-----`;
/** What those who call the host trust. */
export const cert = `-----BEGIN CERTIFICATE-----
MIIBrDCCAVKgAwIBAgIUQqNVtvHSBiMrtXbSv92H75TCILIwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDAgFw0yNjExMjIxMjE3MDdaGA8yMTI2
MTAyOTEyMTcwN1owGDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABLEVkBr0tZG0Zz9mbA6gZDdCxi0WlezJdQEM5KNuW8is
vI0Q86jgVN1Iz0q19S/l45Lv+RDg26dO9wqtx1EyT+yjeDB2MB0GA1UdDgQWBBTu
GnOyWrsJvsdWFNxft2zCpgSxwzAfBgNVHSMEGDAWgBTuGnOyWrsJvsdWFNxft2zC
pgSxwzAjBgNVHREEHDAagg1waWN0dXJlcy50ZXN0gglsb2NhbGhvc3QwDwYDVR0T
AQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAhm3l7q91IDDsh/EOdYEa5IgJ
Yz7RAbGDPCsBf4tv6h4CIDtXdOel679uLzYZS7iPkSBp/6y7swkugMeF9tmjRR4x
-----END CERTIFICATE-----`;

/** Makes this process trust the host's certificate beside those it trusts already. */
export function trustPictureHost(): void {
  setDefaultCACertificates([...getCACertificates('default'), cert]);
}

/** An https host on this computer. */
export async function startPictureHost(listener: RequestListener) {
  const server = createServer({ key, cert }, listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

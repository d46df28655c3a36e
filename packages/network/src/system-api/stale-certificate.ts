/** The canister asked for its data certificate and the one at hand does not certify its current data. */
export class StaleCertificate extends Error {
  override readonly name = 'StaleCertificate';
}

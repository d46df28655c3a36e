import { compileMotoko } from '../../../../packages/network/test/compile-motoko.ts';
import type { ApiClient } from '../support/client.ts';

/** Answers every request with its address, headers and body, and tries to set the console's cookies. */
const SOURCE = `import Text "mo:core/Text";
persistent actor {
  type Header = (Text, Text);
  type Request = { method : Text; url : Text; headers : [Header]; body : Blob; certificate_version : ?Nat16 };
  type Asked = { method : Text; url : Text; headers : [Header]; body : Blob };
  type Response = { status_code : Nat16; headers : [Header]; body : Blob; upgrade : ?Bool };
  public query func http_request(_ : Request) : async Response {
    { status_code = 200; headers = []; body = ""; upgrade = ?true };
  };
  public func http_request_update(asked : Asked) : async Response {
    var text = asked.method # " " # asked.url # "\\n";
    for ((name, value) in asked.headers.values()) { text #= name # ": " # value # "\\n" };
    text #= switch (asked.body.decodeUtf8()) { case (?body) body; case null "" };
    {
      status_code = 200;
      headers = [
        ("Content-Type", "text/html"),
        ("Set-Cookie", "sign-in=PLANTED; Path=/"),
        ("Set-Cookie", "token=PLANTED; Path=/; Domain=localhost"),
      ];
      body = text.encodeUtf8();
      upgrade = null;
    };
  };
};
`;

/** Creates a canister whose page sees all that a browser sends. @returns its id */
export async function createEchoing(client: ApiClient): Promise<string> {
  const id = await client.create('Listener');
  const identifier = await client.uploadWasm(compileMotoko(SOURCE));
  const { status, body } = await client.post('/canister/install', { canister_id: id, identifier });
  if (status !== 200) throw new Error(`install: ${status} ${body.error}`);
  return id;
}

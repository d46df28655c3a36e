import { addressOf, Bytes, hex, textOf, utf8 } from './bytes';
import * as ic0 from './ic0';

const PUBLIC_PREFIX = 'PUBLIC_';

let cookie: string = '';

/** The `ic_env` cookie of HTML answers: how a page learns the ids of its canisters and the root key. */
export function environmentCookie(): string {
  return cookie;
}

/** Reads the canister's environment again; tells whether the cookie changed. Not available in queries. */
export function refreshEnvironment(): bool {
  let values = 'ic_root_key=' + hex(rootKey());
  const names = publicNames();
  for (let i = 0; i < names.length; i++) values += '&' + names[i] + '=' + valueOf(names[i]);
  const fresh = 'ic_env=' + percentEncoded(values) + '; SameSite=Lax';
  if (fresh == cookie) return false;
  cookie = fresh;
  return true;
}

function rootKey(): Bytes {
  const bytes = new StaticArray<u8>(ic0.root_key_size());
  ic0.root_key_copy(addressOf(bytes), 0, bytes.length);
  return bytes;
}

function publicNames(): Array<string> {
  const names: Array<string> = [];
  for (let i = 0, count = ic0.env_var_count(); i < count; i++) {
    const bytes = new StaticArray<u8>(ic0.env_var_name_size(i));
    ic0.env_var_name_copy(i, addressOf(bytes), 0, bytes.length);
    const name = textOf(bytes);
    if (name.startsWith(PUBLIC_PREFIX)) names.push(name);
  }
  return names.sort();
}

function valueOf(name: string): string {
  const bytes = utf8(name);
  const value = new StaticArray<u8>(ic0.env_var_value_size(addressOf(bytes), bytes.length));
  ic0.env_var_value_copy(addressOf(bytes), bytes.length, addressOf(value), 0, value.length);
  return textOf(value);
}

/** Every byte but ASCII letters and digits becomes `%XX`. */
function percentEncoded(text: string): string {
  const bytes = utf8(text);
  let encoded = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    const plain = (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122);
    encoded += plain ? String.fromCharCode(byte) : '%' + (byte < 16 ? '0' : '') + byte.toString(16).toUpperCase();
  }
  return encoded;
}

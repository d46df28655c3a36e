import { Properties, UNSET, YES } from '../content/asset';
import { CandidWriter, NO_RESULTS } from '../candid/candid-schema';
import { reply } from '../base/system';

export function replyNothing(): void {
  reply(new CandidWriter(NO_RESULTS));
}

export function writeOptBool(writer: CandidWriter, value: i8): void {
  if (value === UNSET) {
    writer.none();
  } else {
    writer.some();
    writer.bool(value === YES);
  }
}

export function writeMaxAge(writer: CandidWriter, properties: Properties): void {
  if (!properties.hasMaxAge) {
    writer.none();
    return;
  }
  writer.some();
  writer.u64(properties.maxAge);
}

export function writeOptHeaders(writer: CandidWriter, properties: Properties): void {
  const headers = properties.headers;
  if (headers === null) {
    writer.none();
    return;
  }
  writer.some();
  writer.uleb(headers.length);
  for (let i = 0; i < headers.length; i++) {
    writer.candidText(headers[i].name);
    writer.candidText(headers[i].value);
  }
}

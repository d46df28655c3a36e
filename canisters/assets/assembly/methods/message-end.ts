import { saveChanges } from './persistence';
import { releaseArgument } from '../base/system';

/** How many messages that leave little behind may pass between two collections of unused objects. */
const QUIET_MESSAGES: i32 = 64;
let quietMessages: i32 = 0;

/** After a message that changed the index; nothing of it may be in use any more. */
export function endMessage(): void {
  saveChanges();
  releaseArgument();
  quietMessages = 0;
  __collect();
}

/** After a message that made few objects. */
export function endQuietMessage(): void {
  saveChanges();
  releaseArgument();
  if (++quietMessages >= QUIET_MESSAGES) {
    quietMessages = 0;
    __collect();
  }
}

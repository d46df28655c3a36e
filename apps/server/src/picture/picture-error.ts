/** A picture that cannot be drawn again; the message is for the one whose picture it is. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}

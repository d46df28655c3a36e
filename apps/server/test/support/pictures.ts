import { PhotonImage } from '@silvia-odwyer/photon-node';

/** A picture of one colour, which a text decides: another text gives another picture. */
export function pictureOf(text: string, size = { width: 24, height: 16 }): PhotonImage {
  const [red = 0, green = 0, blue = 0] = Buffer.from(text.padEnd(3));
  const pixels = Uint8Array.from({ length: size.width * size.height * 4 }, (_, at) => {
    return [red, green, blue, 255][at % 4] ?? 0;
  });
  return new PhotonImage(pixels, size.width, size.height);
}

/** The same as a PNG file. */
export function pngOf(text: string, size?: { width: number; height: number }): Buffer {
  return Buffer.from(pictureOf(text, size).get_bytes());
}

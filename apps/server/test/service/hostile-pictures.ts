import { crc32, deflateSync, gzipSync } from 'node:zlib';
import type { HostileFile } from '../support/hostile-modules.ts';
import { moduleOf } from '../support/modules.ts';
import { pictureOf, pngOf } from '../support/pictures.ts';

const text = (content: string): Buffer => Buffer.from(content, 'latin1');
const SIGNATURE = text('\x89PNG\r\n\x1a\n');
const SVG_NAMESPACE = 'xmlns="http://www.w3.org/2000/svg"';
const MIB = 1024 * 1024;

/** What must not be found in anything that is kept. */
export const MARK = '<script>alert("icon")</script>';

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([text(type), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A grey PNG. @param data unpacked; as the size asks for where absent */
function png(
  { width, height, extra = [] }: { width: number; height: number; extra?: Buffer[] },
  data = Buffer.alloc((width + 1) * height),
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(data)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SMALL = { width: 20, height: 20 };
const JPEG = Buffer.from(pictureOf('red', { width: 64, height: 64 }).get_bytes_jpeg(90));
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs=', 'base64');
/** Where the one picture of the GIF begins: behind header and colours. */
const GIF_PICTURE = 19;

function segment(marker: number, content: string): Buffer {
  const body = text(content);
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff]), body]);
}

/** A JPEG with something between its start and its first segment. */
const jpegWith = (extra: Buffer): Buffer => Buffer.concat([JPEG.subarray(0, 2), extra, JPEG.subarray(2)]);

function gifOfSize(screen: number, frame: number): Buffer {
  const gif = Buffer.from(GIF);
  gif.writeUInt16LE(screen, 6);
  gif.writeUInt16LE(screen, 8);
  gif.writeUInt16LE(frame, GIF_PICTURE + 5);
  gif.writeUInt16LE(frame, GIF_PICTURE + 7);
  return gif;
}

function jpegOfSize(width: number, height: number): Buffer {
  const at = JPEG.indexOf(Buffer.from([0xff, 0xc0]));
  const jpeg = Buffer.from(JPEG);
  jpeg.writeUInt16BE(height, at + 5);
  jpeg.writeUInt16BE(width, at + 7);
  return jpeg;
}

const drawings: readonly (readonly [string, string])[] = [
  ['plain', `<svg ${SVG_NAMESPACE}/>`],
  ['with a script', `<svg ${SVG_NAMESPACE}><script>alert(1)</script></svg>`],
  ['with a handler', `<svg ${SVG_NAMESPACE} onload="alert(1)"/>`],
  [
    'with a page inside',
    `<svg ${SVG_NAMESPACE}><foreignObject><iframe src="javascript:alert(1)"/></foreignObject></svg>`,
  ],
  [
    'with an animated link',
    `<svg ${SVG_NAMESPACE}><a><animate attributeName="href" values="javascript:alert(1)"/></a></svg>`,
  ],
  [
    'with a picture from elsewhere',
    `<svg ${SVG_NAMESPACE}><image href="https://example.org/spy.png"/></svg>`,
  ],
  ['behind an XML head', `<?xml version="1.0"?><svg ${SVG_NAMESPACE}><script/></svg>`],
  ['behind a byte order mark', `\xef\xbb\xbf<svg ${SVG_NAMESPACE} onload="alert(1)"/>`],
  ['behind a comment', `<!-- ${'x'.repeat(2000)} --><svg ${SVG_NAMESPACE} onload="alert(1)"/>`],
  [
    'with entities that grow',
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><svg>&b;</svg>',
  ],
  ['with a file of the server', '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>'],
  ['behind the signature of PNG', `\x89PNG\r\n\x1a\n<svg ${SVG_NAMESPACE} onload="alert(1)"/>`],
  ['behind the signature of GIF', `GIF89a/*<svg ${SVG_NAMESPACE} onload="alert(1)"/>*/=alert(1)`],
  ['behind the signature of JPEG', `\xff\xd8\xff\xe0<svg ${SVG_NAMESPACE} onload="alert(1)"/>`],
];

const otherFormats: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.alloc(0)],
  ['a page', text(MARK)],
  ['a module', moduleOf({ exports: ['canister_query read'] })],
  ['WebP', Buffer.from(pictureOf('red').get_bytes_webp())],
  ['AVIF', text('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf')],
  ['a bitmap', Buffer.concat([text('BM'), Buffer.alloc(200)])],
  ['TIFF', Buffer.concat([text('II*\0'), Buffer.alloc(200)])],
  ['an icon of Windows', Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), Buffer.alloc(200)])],
  ['PostScript', text('%!PS-Adobe-3.0 EPSF-3.0\n(/etc/passwd) (r) file')],
  ['a film', text('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')],
  [
    'an instruction of ImageMagick',
    text('push graphic-context\nimage over 0,0 0,0 "|id"\npop graphic-context'),
  ],
];

const outOfBounds: readonly (readonly [string, Buffer])[] = [
  ['a PNG of 65,535 by 65,535 pixels', png({ width: 65_535, height: 65_535 }, Buffer.alloc(100))],
  ['a PNG of four billion by one', png({ width: 0xffff_ffff, height: 1 }, Buffer.alloc(100))],
  ['a PNG without width', png({ width: 0, height: 20 }, Buffer.alloc(100))],
  ['a PNG with fewer pixels than it says', png({ width: 4000, height: 4000 }, Buffer.alloc(1000))],
  [
    'a PNG of one pixel with a wrong checksum',
    Buffer.concat([png(SMALL).subarray(0, 30), Buffer.alloc(4), png(SMALL).subarray(34)]),
  ],
  ['a PNG without pixels', Buffer.concat([png(SMALL).subarray(0, 33), chunk('IEND', Buffer.alloc(0))])],
  ['a GIF of 65,535 by 65,535 pixels', gifOfSize(65_535, 65_535)],
  ['a GIF whose picture is larger than itself', gifOfSize(1, 65_535)],
  ['a GIF without a picture', Buffer.concat([GIF.subarray(0, GIF_PICTURE), text(';'), Buffer.alloc(30)])],
  ['a JPEG of 65,535 by 65,535 pixels', jpegOfSize(65_535, 65_535)],
  ['a JPEG without height', jpegOfSize(64, 0)],
  [
    'a JPEG of segments without end',
    Buffer.concat([JPEG.subarray(0, 2), Buffer.alloc(4 * MIB, Buffer.from([0xff, 0xe0, 0, 2]))]),
  ],
];

const truncated = [0.1, 0.3, 0.5].flatMap((part) =>
  (
    [
      ['PNG', pngOf('red', { width: 200, height: 200 })],
      ['JPEG', JPEG],
      ['GIF', GIF],
    ] as const
  ).map(
    ([format, whole]): HostileFile => [
      `${part * 100}% of a ${format}`,
      whole.subarray(0, Math.floor(whole.length * part)),
      'invalid_icon',
    ],
  ),
);

/** Files that are refused. */
export const hostilePictures: readonly HostileFile[] = [
  ...drawings.map(
    ([how, drawing]): HostileFile => [`a drawing of lines ${how}`, text(drawing), 'invalid_icon'],
  ),
  ['a packed drawing of lines', gzipSync(text(`<svg ${SVG_NAMESPACE} onload="alert(1)"/>`)), 'invalid_icon'],
  ...[...otherFormats, ...outOfBounds].map(([what, bytes]): HostileFile => [what, bytes, 'invalid_icon']),
  ...truncated,
  ['a PNG of more than 5 MiB', Buffer.concat([png(SMALL), Buffer.alloc(5 * MIB)]), 'payload_too_large'],
];

const frames = Buffer.concat(Array.from({ length: 20_000 }, () => GIF.subarray(GIF_PICTURE, -1)));

/** Pictures of which only pixels are kept. */
export const carriers: readonly (readonly [what: string, bytes: Buffer])[] = [
  ['a PNG with a page behind it', Buffer.concat([pngOf('a'), text(MARK)])],
  ['a PNG with an archive behind it', Buffer.concat([pngOf('b'), text(`PK\x03\x04${MARK}`)])],
  ['a PNG with a script in its text', png({ ...SMALL, extra: [chunk('tEXt', text(`Comment\0${MARK}`))] })],
  [
    'a PNG with a colour profile that is none',
    png({
      width: 21,
      height: 20,
      extra: [chunk('iCCP', Buffer.concat([text('p\0\0'), deflateSync(text(MARK))]))],
    }),
  ],
  [
    'a PNG with a text that unpacks to 200 MB',
    png({
      width: 22,
      height: 20,
      extra: [chunk('zTXt', Buffer.concat([text('Comment\0\0'), deflateSync(Buffer.alloc(200_000_000))]))],
    }),
  ],
  ['a PNG of one pixel by 60,000', png({ width: 1, height: 60_000 })],
  ['a PNG of 60,000 pixels by one', png({ width: 60_000, height: 1 })],
  ['a PNG of 4,000 by 4,000 pixels in some kilobytes', png({ width: 4000, height: 4000 })],
  ['a JPEG with a script in its comment', jpegWith(segment(0xfe, MARK))],
  ['a JPEG with a script in its EXIF', jpegWith(segment(0xe1, `Exif\0\0MM\0*\0\0\0\x08${MARK}`))],
  ['a JPEG with a page behind it', Buffer.concat([JPEG, text(MARK)])],
  [
    'a GIF with a script in its comment',
    Buffer.concat([
      GIF.subarray(0, GIF_PICTURE),
      Buffer.from([0x21, 0xfe, MARK.length]),
      text(MARK),
      Buffer.from([0]),
      GIF.subarray(GIF_PICTURE),
    ]),
  ],
  ['a GIF of 20,000 pictures', Buffer.concat([GIF.subarray(0, GIF_PICTURE), frames, text(';')])],
];

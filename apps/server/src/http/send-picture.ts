import type { FastifyReply } from 'fastify';

const DAY_S = 86_400;

/** Answers a picture that this server has drawn itself: kept by the browser for a day, and nothing but a picture. */
export function sendPicture(
  reply: FastifyReply,
  type: 'image/png' | 'image/jpeg',
  picture: Buffer,
): FastifyReply {
  return reply
    .headers({
      'cache-control': `private, max-age=${DAY_S}`,
      'content-security-policy': "default-src 'none'; sandbox",
      // The console may be on another origin.
      'cross-origin-resource-policy': 'cross-origin',
    })
    .type(type)
    .send(picture);
}

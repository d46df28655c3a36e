export { isGoodSignature } from './good-signature.ts';
export { SigningKey } from './signing-key.ts';

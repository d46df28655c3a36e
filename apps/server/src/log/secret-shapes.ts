/** Shapes of secrets that programs are known to print: our tokens, those of registries and git providers, bearer headers. */
export const SECRET_SHAPES: readonly RegExp[] = [
  /\bcnry_[\w-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bgh[opsur]_[A-Za-z0-9]{30,}/g,
  /\bgithub_pat_\w{30,}/g,
  /\bglpat-[\w-]{20,}/g,
  /(?<=\bBearer )[\w.~+/-]{16,}=*/g,
  /(?<=\bAuthorization["']?[:=]\s{0,9}["']?Basic )[\w+/-]{8,}=*/gi,
  /(?<=_authToken=)\S+/g,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{1,200}(?=@)/g,
];

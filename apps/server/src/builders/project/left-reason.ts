const COMPILED_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['rust', 'Rust'],
  ['azle', 'Azle (TypeScript)'],
  ['kybra', 'Kybra (Python)'],
]);

/** Why a canister of a type is not deployed, as the second half of a sentence. */
export function leftReason(type: string): string {
  const language = COMPILED_ELSEWHERE.get(type);
  if (language === undefined) return `the type ${type.slice(0, 50)} is not known here`;
  return `${language} is not compiled here; build it on your machine, commit its WebAssembly, and name it in dfx.json by the type "custom"`;
}

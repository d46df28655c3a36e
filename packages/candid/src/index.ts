export { KEYWORDS, type FuncMode } from './ast.ts';
export { breakingChanges } from './breaking-changes.ts';
export type { ReadingLimits } from './budget.ts';
export { checkEncoded } from './check-encoded.ts';
export { decodeEncoded } from './decode-encoded.ts';
export {
  CandidError,
  CandidSyntaxError,
  CandidTypeError,
  CandidValueError,
  type Position,
} from './errors.ts';
export { chosenOf, fieldsOf } from './field-order.ts';
export { formatArgs, formatNode, formatSignature, formatType, isBlob } from './format.ts';
export { type InterfaceChange, interfaceChanges } from './interface-changes.ts';
export { initService } from './init-service.ts';
export { LONGEST_NUMBER } from './lexer.ts';
export { keyId, keyName, labelHash, printKey, printName, quoteText } from './label.ts';
export { floatFor, type IntegerRange, integerFor, integerRange } from './number-range.ts';
export { groupDigits, parseFloatText, parseInteger } from './number-text.ts';
export { parseProgram } from './parser.ts';
export { readEncoded } from './read-encoded.ts';
export {
  type InitArgs,
  type MethodMode,
  type ParsedService,
  parseInitArgs,
  parseService,
  type ServiceMethod,
} from './service.ts';
export { unwrap } from './to-idl.ts';
export { floatText, printDraft, printValue, printValues } from './value-print.ts';
export { checkValueText, encodeText, parseValues } from './value-text.ts';

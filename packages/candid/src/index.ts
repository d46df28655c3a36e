export { KEYWORDS, type FuncMode } from './types/ast.ts';
export { breakingChanges } from './types/interface-changes.ts';
export type { ReadingLimits } from './wire/budget.ts';
export { checkEncoded } from './wire/check-encoded.ts';
export { decodeEncoded, readEncoded } from './wire/decode-encoded.ts';
export {
  CandidError,
  CandidSyntaxError,
  CandidTypeError,
  CandidValueError,
  type Position,
} from './errors.ts';
export { chosenOf, fieldsOf } from './types/field-order.ts';
export {
  formatArgs,
  formatNode,
  formatSignature,
  formatType,
  formatTypeList,
  isBlob,
} from './types/format.ts';
export { type InterfaceChange, interfaceChanges } from './types/interface-changes.ts';
export {
  type InitArgs,
  initService,
  type MethodMode,
  type ParsedService,
  parseInitArgs,
  parseService,
  type ServiceMethod,
} from './types/service.ts';
export { LONGEST_NUMBER } from './types/lexer.ts';
export { keyId, keyName, labelHash, printKey, printName, quoteText } from './types/label.ts';
export { floatFor, type IntegerRange, integerFor, integerRange } from './types/number-text.ts';
export { groupDigits, parseFloatText, parseInteger } from './types/number-text.ts';
export { parseProgram } from './types/parser.ts';
export { unwrap } from './types/to-idl.ts';
export { floatText, printDraft, printValue, printValues } from './values/value-print.ts';
export { checkValueText, encodeText, parseValues } from './values/value-text.ts';

import { type ActorNode, type ArgNode, KEYWORDS, type Program, type TypeDefinition } from './ast.ts';
import { CandidSyntaxError, CandidTypeError } from '../errors.ts';
import { TokenStream } from './token-stream.ts';
import { parseArgs, parseNameNode, parseServiceBody, parseType } from './type-parser.ts';

/**
 * Parses a whole .did file. Imports are refused, because a text on its own has no folder to import from.
 * Throws CandidSyntaxError or CandidTypeError (a type defined twice).
 */
export function parseProgram(text: string): Program {
  const stream = new TokenStream(text);
  const types = parseDefinitions(stream);
  const actor = stream.at('service') ? parseActor(stream) : undefined;
  if (stream.peek().kind !== 'end') {
    throw stream.unexpected(actor ? 'the end of the text after the service' : "'type' or 'service'");
  }
  return actor ? { types, actor } : { types };
}

/**
 * Parses install arguments: type definitions and then either a list such as
 * `(record { owner : principal }, opt nat)`, as the `candid:args` metadata gives it, or a service.
 * `args` is undefined for a service that does not name them. Throws CandidSyntaxError or CandidTypeError.
 */
export function parseInitProgram(text: string): {
  types: TypeDefinition[];
  args: readonly ArgNode[] | undefined;
} {
  const stream = new TokenStream(text);
  const types = parseDefinitions(stream);
  if (!stream.at('(') && !stream.at('service')) throw stream.unexpected("'(' with the install arguments");
  const args = stream.at('service') ? parseActor(stream).init : parseArgs(stream);
  stream.accept(';');
  if (stream.peek().kind !== 'end') throw stream.unexpected('the end of the text after the arguments');
  return { types, args };
}

function parseDefinitions(stream: TokenStream): TypeDefinition[] {
  const types: TypeDefinition[] = [];
  const seen = new Set<string>();
  for (;;) {
    if (stream.at('import')) {
      throw new CandidSyntaxError(
        'imports are not supported: put the imported definitions into this text',
        stream.peek(),
      );
    }
    if (!stream.at('type')) return types;
    const { docs } = stream.next();
    const name = stream.peek();
    if (name.kind !== 'id' || KEYWORDS.has(name.source)) throw stream.unexpected('a name for the type');
    stream.next();
    if (seen.has(name.source)) throw new CandidTypeError(`the type ${name.source} is defined twice`, name);
    seen.add(name.source);
    stream.expect('=', `after the name ${name.source}`);
    types.push({ name: name.source, type: parseType(stream), docs, line: name.line, column: name.column });
    const more = stream.at('type') || stream.at('import') || stream.at('service');
    if (!stream.accept(';') && more) throw stream.unexpected(`';' after the definition of ${name.source}`);
  }
}

function parseActor(stream: TokenStream): ActorNode {
  const { line, column } = stream.expect('service', 'here');
  const name = stream.peek();
  if (name.kind === 'id' && !KEYWORDS.has(name.source)) stream.next();
  stream.expect(':', "after 'service'");
  let init: ArgNode[] | undefined;
  if (stream.at('(')) {
    init = parseArgs(stream);
    stream.expect('->', 'after the install arguments');
  }
  const body = stream.peek();
  if (!stream.at('{') && (body.kind !== 'id' || KEYWORDS.has(body.source))) {
    throw stream.unexpected("'{' with the methods, or the name of a service type");
  }
  const type = stream.at('{') ? parseServiceBody(stream) : parseNameNode(stream);
  stream.accept(';');
  return init ? { init, type, line, column } : { type, line, column };
}

import { PropertyChanges, readPropertyChanges, readRequest, Request } from '../content/arguments';
import { Slice } from '../base/bytes';
import { CandidReader, Fields } from '../candid/candid-reader';
import * as f from '../candid/field-ids';
import { readRules } from './rule-messages';
import { Rule } from '../content/rules';

/** One operation of a batch: what `tag` says, with a request, property changes or redirect rules. */
export class Operation {
  constructor(
    readonly tag: u32,
    readonly request: Request | null,
    readonly changes: PropertyChanges | null,
    readonly rules: Array<Rule> | null,
  ) {}
}

/** Walks through the operations of a `CommitBatchArguments`, whose memory must stay. */
export class Operations {
  readonly batch: u64;
  private reader: CandidReader;
  private left: i32 = 0;
  private type: i32 = 0;

  constructor(source: Slice) {
    const reader = new CandidReader(source);
    this.reader = reader;
    let batch: u64 = 0;
    let found = false;
    for (const fields = new Fields(reader, reader.argument()); !found && fields.next(); ) {
      if (fields.id === f.BATCH_ID) {
        batch = reader.nat(fields.type);
      } else if (fields.id === f.OPERATIONS) {
        this.left = reader.vecLength(fields.type);
        this.type = reader.itemType(fields.type);
        found = true;
      } else {
        reader.skip(fields.type);
      }
    }
    if (!found) reader.fail('field operations is missing');
    this.batch = batch;
  }

  /** The next operation; `null` after the last. */
  next(): Operation | null {
    if (this.left === 0) return null;
    this.left--;
    const reader = this.reader;
    const index = reader.variantIndex(this.type);
    const tag = reader.fieldIds(this.type)[index];
    const record = reader.fieldTypes(this.type)[index];
    if (tag === f.TAG_SET_REDIRECT_RULES) return new Operation(tag, null, null, readRules(reader, record));
    if (tag !== f.TAG_SET_ASSET_PROPERTIES) return new Operation(tag, readRequest(reader, record), null, null);
    const changes = new PropertyChanges();
    readPropertyChanges(reader, record, changes);
    return new Operation(tag, null, changes, null);
  }

  fail(problem: string): void {
    this.reader.fail(problem);
  }
}

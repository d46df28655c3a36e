import { type Canister, isTag, MAX_CANISTER_TAGS, MAX_TAG_LENGTH, tagText } from '@cannery/contract';
import { Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { ActionDialog } from '../../../components/ui/action-dialog.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { FailureNotice } from '../../../components/ui/failure-notice.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { shown } from '../../../lib/text/formats.ts';
import { type TagChange, tagsOf } from '../api/label.ts';

const chipClass =
  'inline-flex min-h-7 items-center gap-1.5 rounded-full border border-line bg-sunken px-2.5 text-sm max-sm:min-h-11';

interface TagListProps {
  readonly label: string;
  readonly tags: readonly string[];
  /** What pressing a tag does to it. */
  readonly does: string;
  readonly onPress: (tag: string) => void;
  readonly disabled: boolean;
}

function TagList({ label, tags, does, onPress, disabled }: TagListProps) {
  if (tags.length === 0) return null;
  const Icon = does === 'Add' ? Plus : X;
  return (
    <div>
      <h3 className="mb-1.5 text-sm font-medium">{label}</h3>
      <ul aria-label={label} className="flex flex-wrap gap-1.5">
        {tags.map((tag) => (
          <li key={tag}>
            <button
              type="button"
              disabled={disabled}
              onClick={() => onPress(tag)}
              aria-label={`${does} ${tag}`}
              className={`${chipClass} hover:border-control`}
            >
              {tag}
              <Icon className="size-3.5 text-muted" aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why a text cannot be a tag, or one more than there may be. */
function problemOf(text: string, others: number): string | undefined {
  if (!isTag(text))
    return `A tag has 1 to ${MAX_TAG_LENGTH} letters and digits, with blanks and - . _ : / between them.`;
  return others >= MAX_CANISTER_TAGS ? `A canister has at most ${MAX_CANISTER_TAGS} tags.` : undefined;
}

interface TagsDialogProps {
  readonly canisters: readonly Canister[];
  /** Tags that are in use. */
  readonly known: readonly string[];
  readonly busy: boolean;
  /** Why the last change was not saved. */
  readonly failure?: Error | null;
  readonly onChange: (change: TagChange) => void;
  readonly onClose: () => void;
}

/** Adds tags to canisters and removes others, all at once when it is saved. */
export function TagsDialog({ canisters, known, busy, failure = null, onChange, onClose }: TagsDialogProps) {
  const suggestions = useId();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const before = tagsOf(canisters);
  const everywhere = before.filter((tag) => canisters.every(({ tags }) => tags.includes(tag)));
  const [tags, setTags] = useState<readonly string[]>(before);
  /** Those that all of the canisters are to have. */
  const [forAll, setForAll] = useState<readonly string[]>(everywhere);
  const [one] = canisters;
  const isOne = canisters.length === 1;

  const include = (tag: string): readonly string[] => {
    const next = forAll.includes(tag) ? forAll : [...forAll, tag];
    setTags(tags.includes(tag) ? tags : [...tags, tag]);
    setForAll(next);
    return next;
  };
  /** Takes what was typed. @returns the tags that all are to have; undefined when it is no tag */
  const take = (): readonly string[] | undefined => {
    const text = tagText(typed);
    if (text === '') return forAll;
    const found = problemOf(text, isOne && !tags.includes(text) ? tags.length : 0);
    setProblem(found);
    if (found !== undefined) return undefined;
    setTyped('');
    return include(text);
  };
  const save = (): void => {
    const wanted = take();
    if (wanted === undefined) return;
    const add = wanted.filter((tag) => !everywhere.includes(tag));
    const remove = before.filter((tag) => !tags.includes(tag) && !wanted.includes(tag));
    if (add.length + remove.length === 0) onClose();
    else onChange({ add, remove });
  };

  return (
    <ActionDialog
      onClose={onClose}
      title={isOne ? 'Tags' : `Tags of ${canisters.length} canisters`}
      description={
        isOne ? (
          <>
            Of <b className="font-semibold text-ink">{shown(one?.name)}</b>. The list of canisters can be
            filtered by them.
          </>
        ) : (
          'What is added is added to all of them. The list of canisters can be filtered by tags.'
        )
      }
      action="Save"
      busy={busy}
      onAction={save}
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Add a tag"
            value={typed}
            error={problem}
            list={suggestions}
            disabled={busy}
            onChange={({ target }) => {
              setTyped(target.value);
              setProblem(undefined);
            }}
            onKeyDown={(event) => {
              if ((event.key !== 'Enter' && event.key !== ',') || typed.trim() === '') return;
              event.preventDefault();
              take();
            }}
          />
        </div>
        <Button className="mt-6.5" disabled={busy || typed.trim() === ''} onClick={take}>
          Add
        </Button>
      </div>
      <datalist id={suggestions}>
        {known
          .filter((tag) => !tags.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
      <TagList
        label={isOne ? 'Its tags' : 'Tags'}
        tags={tags}
        does="Remove"
        disabled={busy}
        onPress={(tag) => {
          setTags(tags.filter((each) => each !== tag));
          setForAll(forAll.filter((each) => each !== tag));
        }}
      />
      {!isOne && (
        <TagList
          label="Only some of them have these: add to all"
          tags={tags.filter((tag) => !forAll.includes(tag))}
          does="Add"
          disabled={busy}
          onPress={include}
        />
      )}
      {failure !== null && <FailureNotice title="The tags were not saved" error={failure} />}
    </ActionDialog>
  );
}

import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type SyntheticEvent, useEffect, useReducer, useState } from 'react';
import { Button, buttonClass } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { EmptyState } from '../../../components/ui/empty-state.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { Select } from '../../../components/ui/select.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { usePageTitle } from '../../../lib/browser/use-page-title.ts';
import { demoPaths } from '../demo-paths.ts';
import { createUser, findUser, messageOf, updateUser, type UserFields, userRoles } from './sample-users.ts';
import { initialUsersForm, usersFormReducer } from './users-form-state.ts';

interface UserFormProps {
  readonly start: UserFields;
  readonly saving: boolean;
  readonly onSave: (fields: UserFields) => void;
}

const roles = userRoles.map((role) => ({ value: role, label: role }));

/** The fields of a sample user; all are required. */
function UserForm({ start, saving, onSave }: UserFormProps) {
  const [fields, setFields] = useState(start);
  const [tried, setTried] = useState(false);
  const missing = (text: string): string | undefined =>
    tried && text.trim() === '' ? 'Required' : undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setTried(true);
    if (fields.name.trim() !== '' && fields.email.trim() !== '') onSave(fields);
  };
  return (
    <form noValidate aria-label="User" onSubmit={submit} className="flex flex-col gap-5">
      <TextField
        label="Name"
        value={fields.name}
        error={missing(fields.name)}
        onChange={(event) => setFields({ ...fields, name: event.target.value })}
      />
      <TextField
        label="Email"
        type="email"
        value={fields.email}
        error={missing(fields.email)}
        onChange={(event) => setFields({ ...fields, email: event.target.value })}
      />
      <Select
        label="Role"
        options={roles}
        value={fields.role}
        onChange={(role) => setFields({ ...fields, role })}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={saving}>
          Save user
        </Button>
        <Link to={demoPaths.users} className={buttonClass()}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

const empty: UserFields = { name: '', email: '', role: 'Reader' };

/** The form of a sample user: of the one that the address names, or of a new one. */
export function UserFormPage() {
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  const [state, dispatch] = useReducer(usersFormReducer, initialUsersForm);
  const { record, findLoading, saveLoading, errorMessage } = state;
  const title = id === undefined ? 'New user' : 'Edit user';
  usePageTitle(title);

  useEffect(() => {
    dispatch({ type: 'USERS_FORM_RESET' });
    if (id === undefined) return;
    dispatch({ type: 'USERS_FORM_FIND_STARTED' });
    findUser(id).then(
      (found) => dispatch({ type: 'USERS_FORM_FIND_SUCCESS', record: found }),
      (failure: unknown) => dispatch({ type: 'USERS_FORM_FIND_ERROR', message: messageOf(failure) }),
    );
  }, [id]);

  const save = async (fields: UserFields): Promise<void> => {
    const verb = id === undefined ? 'CREATE' : 'UPDATE';
    dispatch({ type: `USERS_FORM_${verb}_STARTED` });
    try {
      await (id === undefined ? createUser(fields) : updateUser(id, fields));
      dispatch({ type: `USERS_FORM_${verb}_SUCCESS` });
      await navigate({ to: demoPaths.users });
    } catch (failure) {
      dispatch({ type: `USERS_FORM_${verb}_ERROR`, message: messageOf(failure) });
    }
  };

  const isMissing = id !== undefined && record === null && errorMessage !== '';
  const isReady = id === undefined || record !== null;
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{title}</h1>
      <Card className="max-w-[560px] animate-entrance p-5">
        {isReady && errorMessage !== '' && (
          <div role="alert" className="mb-4">
            <Notice tone="bad" title={errorMessage} />
          </div>
        )}
        {isReady && (
          <UserForm
            key={record?.id}
            start={record ?? empty}
            saving={saveLoading}
            onSave={(fields) => void save(fields)}
          />
        )}
        {findLoading && <Skeleton className="h-24 w-full" />}
        {isMissing && (
          <EmptyState
            drawing="canisters"
            title={errorMessage}
            hint="It may have been deleted."
            action={
              <Link to={demoPaths.users} className={buttonClass({ variant: 'primary' })}>
                All users
              </Link>
            }
          />
        )}
      </Card>
    </>
  );
}

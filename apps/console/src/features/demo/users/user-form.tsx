import { Link } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { buttonClass } from '../../../components/ui/button-class.ts';
import { Select } from '../../../components/ui/select.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';
import { demoPaths } from '../demo-paths.ts';
import { type UserFields, userRoles } from './user-record.ts';

interface UserFormProps {
  readonly start: UserFields;
  readonly saving: boolean;
  readonly onSave: (fields: UserFields) => void;
}

const roles = userRoles.map((role) => ({ value: role, label: role }));

/** The fields of a sample user; all are required. */
export function UserForm({ start, saving, onSave }: UserFormProps) {
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

import { type SyntheticEvent, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { TextField } from '../../../components/ui/text-field.tsx';

/** A sign-up form to look at: it enforces nothing and sends nothing. */
export function SignUpCard() {
  const [tried, setTried] = useState(false);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setTried(true);
  };
  return (
    <Card aria-label="Sign up" className="animate-entrance">
      <CardHeader title="Sign up" note="a sample" />
      <form noValidate aria-label="Sign up" onSubmit={submit} className="flex flex-col gap-4 px-5 pb-5">
        <TextField label="Email" type="email" placeholder="you@example.org" />
        <TextField label="Password" type="password" placeholder="Min 8 characters" />
        <Button type="submit" variant="primary">
          Create account
        </Button>
        <p role="status" className="min-h-5 text-sm text-muted">
          {tried && 'This is a sample: nothing was checked and nothing was sent.'}
        </p>
      </form>
    </Card>
  );
}

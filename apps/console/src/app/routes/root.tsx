import { Outlet } from '@tanstack/react-router';

export function RootPage() {
  return <Outlet />;
}

import { z } from 'zod';

export const deployTypes = ['STATIC_SITE', 'MOTOKO', 'CUSTOM'] as const;
export const deployType = z.enum(deployTypes);
export type DeployType = z.infer<typeof deployType>;

/** The deploy type a query parameter names; STATIC_SITE for anything unknown. */
export function deployTypeOf(value: unknown): DeployType {
  return deployTypes.find((type) => type === value) ?? 'STATIC_SITE';
}

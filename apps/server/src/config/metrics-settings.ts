import { z } from 'zod';
import { option } from './option.ts';

const LAST_PORT = 65_535;

/** Where an operator asks how the server is doing. */
export const metricsOptions = {
  METRICS_PORT: option(
    z.coerce
      .number({ error: 'must be a port number' })
      .int('must be a port number')
      .min(0, 'must be 0 to 65535')
      .max(LAST_PORT, 'must be 0 to 65535')
      .optional(),
    'off',
    'Port of metrics for Prometheus and of health checks, for operators only; see docs/operations/observability.md',
  ),
  METRICS_HOST: option(
    z.string().min(1).default('127.0.0.1'),
    '127.0.0.1',
    'Address to listen on for METRICS_PORT. Whoever reaches it may ask: it belongs on loopback or a private network',
  ),
} as const;

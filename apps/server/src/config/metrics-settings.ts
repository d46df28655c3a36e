import { z } from 'zod';
import { option, port } from './option.ts';

/** Where an operator asks how the server is doing. */
export const metricsOptions = {
  METRICS_PORT: option(
    port.optional(),
    'off',
    'Port of metrics for Prometheus and of health checks, for operators only; see docs/operations/observability.md',
  ),
  METRICS_HOST: option(
    z.string().min(1).default('127.0.0.1'),
    '127.0.0.1',
    'Address to listen on for METRICS_PORT. Whoever reaches it may ask: it belongs on loopback or a private network',
  ),
} as const;

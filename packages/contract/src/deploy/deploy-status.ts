/** How a deploy runs its course; the only place that knows which move is legal. */
export const deployStatuses = ['SCHEDULED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;
export type DeployStatus = (typeof deployStatuses)[number];

const moves: Record<DeployStatus, readonly DeployStatus[]> = {
  SCHEDULED: ['RUNNING', 'FAILED'],
  // A worker that takes over after a crash puts the instance back in line.
  RUNNING: ['COMPLETED', 'FAILED', 'SCHEDULED'],
  COMPLETED: [],
  FAILED: [],
};

export function isDeployMove(from: DeployStatus, to: DeployStatus): boolean {
  return moves[from].includes(to);
}

/** Whether an instance is over and polling it may end. */
export function isFinished(status: string | null): boolean {
  return status === 'COMPLETED' || status === 'FAILED';
}

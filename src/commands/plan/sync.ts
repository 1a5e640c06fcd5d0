/** Carries out a plan, with as few requests as it takes. */
import type { ApiAnswer, ApiCall, Method } from '../../http/api'
import type { CommandPlan, PlanStep } from './plan-steps'

export interface SyncOptions {
  signal?: AbortSignal
  /**
   * `fewest`, the default: no write for no change, the change itself for one, and for more one request that replaces the list: the service does
   * all of it or nothing, and leaves alone what is sent unchanged. `steps`: one request a change, also where another process adds commands
   * of its own meanwhile.
   */
  using?: 'fewest' | 'steps'
  /** Called once with what will be done, before anything is written. What it throws, `sync` rejects with, and nothing was written. */
  onPlan?: (plan: CommandPlan) => void
  /** Called after each step that is done. */
  onStep?: (progress: SyncProgress) => void
}

export interface SyncProgress {
  step: PlanStep
  /** Of all steps. */
  done: number
  total: number
}

export interface SyncResult {
  plan: CommandPlan
  /** Requests that were sent, the list included. */
  requests: number
}

/** Sends a call of the scope that is synced. */
type Send = (method: Method, call: Pick<ApiCall, 'body'> & { commandId?: string }) => Promise<ApiAnswer>

/**
 * What a fault leaves undone the next run does: it plans anew from what exists then. A create whose answer was lost is found there as well.
 * Rejects with what the failed request rejected with.
 */
export async function syncCommands(plan: CommandPlan, send: Send, { using = 'fewest', onPlan, onStep }: SyncOptions): Promise<SyncResult> {
  onPlan?.(plan)
  const { steps, overwrite } = plan
  const total = steps.length
  const whole = using === 'fewest' && total > 1
  if (whole) await send('PUT', { body: overwrite })
  for (const [index, step] of steps.entries()) {
    if (!whole) await sendStep(step, send)
    onStep?.({ step, done: index + 1, total })
  }
  return { plan, requests: 1 + (whole ? 1 : total) }
}

function sendStep(step: PlanStep, send: Send): Promise<ApiAnswer> {
  if (step.action === 'create') return send('POST', { body: step.command })
  if (step.action === 'delete') return send('DELETE', { commandId: step.existing.id })
  return send('PATCH', { commandId: step.existing.id, body: step.changes })
}

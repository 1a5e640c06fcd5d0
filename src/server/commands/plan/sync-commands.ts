/** Executes a plan with as few requests as possible. */
import type { ApiCall } from '../../../shared/http/api'
import type { HttpResponse } from '../../../shared/http/http-client'
import type { Method } from '../../../shared/http/http-client'
import type { CheckedBody } from '../../../shared/http/checked-body'
import type { CommandEditBody, CommandOverwriteBody } from '../../../shared/wire/command'
import type { CommandPlan, PlanStep } from './command-plan'

/** Options of `sync`. */
export interface SyncOptions {
  /** Aborts the sync with `aborted`; completed steps stay. */
  signal?: AbortSignal | undefined
  /**
   * `fewest`: no write without changes, a single request for one change, and for more changes one request that replaces the list,
   * atomically and without affecting unchanged commands. `steps`: one request per change, which is safe if another process adds commands
   * meanwhile. Default: `fewest`.
   */
  using?: 'fewest' | 'steps' | undefined
  /**
   * Allows an empty list to delete every command of the scope, with all permissions. Without it such a sync is refused: a list is more often
   * empty because an import failed. Default: false.
   */
  allowEmpty?: boolean | undefined
  /** Called once with the plan before any write. An exception rejects `sync` without writing. */
  onPlan?: ((plan: CommandPlan) => void) | undefined
  /** Called after each completed step. */
  onStep?: ((progress: SyncProgress) => void) | undefined
}

/** Progress of a sync. */
export interface SyncProgress {
  /** Completed step. */
  step: PlanStep
  /** Completed steps. */
  done: number
  /** Number of all steps. */
  total: number
}

/** Result of a sync. */
export interface SyncResult {
  /** Executed plan. */
  plan: CommandPlan
  /** Number of requests, including the list. */
  requests: number
}

/** Makes the bodies of a plan, each of which is checked. */
export interface PlanBodies {
  readonly create: (command: CommandOverwriteBody) => CheckedBody
  readonly edit: (changes: CommandEditBody, type: number) => CheckedBody
  readonly overwrite: (commands: readonly CommandOverwriteBody[]) => CheckedBody
}

/** Sends a call for the synced scope. */
type Send = (method: Method, call: Pick<ApiCall, 'body'> & { commandId?: string }) => Promise<HttpResponse>

/**
 * After a failure, the next run computes a new plan from the existing commands, which also includes creates whose response was lost.
 * Rejects with the error of the failed request.
 */
export async function syncCommands(
  plan: CommandPlan,
  send: Send,
  { using = 'fewest', onPlan, onStep, bodies }: SyncOptions & { bodies: PlanBodies },
): Promise<SyncResult> {
  onPlan?.(plan)
  const { steps, overwrite } = plan
  const total = steps.length
  const whole = using === 'fewest' && total > 1
  if (whole) await send('PUT', { body: bodies.overwrite(overwrite) })
  for (const [index, step] of steps.entries()) {
    if (!whole) await sendStep(step, bodies, send)
    onStep?.({ step, done: index + 1, total })
  }
  return { plan, requests: 1 + (whole ? 1 : total) }
}

function sendStep(step: PlanStep, bodies: PlanBodies, send: Send): Promise<HttpResponse> {
  if (step.action === 'create') return send('POST', { body: bodies.create(step.command) })
  if (step.action === 'delete') return send('DELETE', { commandId: step.existing.id })
  const { changes, existing } = step
  return send('PATCH', { commandId: existing.id, body: bodies.edit(changes, existing.type) })
}

/** Keeps the runtime alive while a handler runs. */
import { InteractionError } from './interaction-error'
import type { Report } from './report'

/** Third argument of `fetch` handlers in edge runtimes, for work that continues after the response. */
export interface RequestContext {
  /** Keeps the runtime alive until `work` settles. */
  waitUntil?(work: Promise<unknown>): void
}

/** Reports a `waitUntil` that throws, for example one without its object. The handler has started, and its response still counts. */
export function keepAlive(context: RequestContext | undefined, work: Promise<unknown>, report: Report): void {
  try {
    context?.waitUntil?.(work)
  } catch (cause) {
    const remedy = 'Pass the context itself, or { waitUntil: (work) => context.waitUntil(work) }'
    report(new InteractionError('handler_failed', 'waitUntil', { cause, remedy }))
  }
}

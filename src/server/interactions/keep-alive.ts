/** Keeps the runtime alive while a handler runs. */
import { isRequestBound } from '../../shared/foundation/platform'
import { InteractionError } from './interaction-error'
import type { Report } from './report'

/** Third argument of `fetch` handlers in edge runtimes, for work that continues after the response. */
export interface RequestContext {
  /** Keeps the runtime alive until `work` settles. */
  waitUntil?(work: Promise<unknown>): void
}

const CONTEXT =
  'Pass the context of the Worker, or what follows the first response is lost: fetch: (request, env, context) => handle(request, context)'

/** Reports a Worker without its context, whose work ends with the response. Reports a `waitUntil` that throws, for example one without its object. The handler has started, and its response still counts. */
export function keepAlive(context: RequestContext | undefined, work: Promise<unknown>, report: Report): void {
  if (isRequestBound() && typeof context?.waitUntil !== 'function') {
    report(
      new InteractionError('handler_failed', 'the second argument has no waitUntil', { remedy: CONTEXT }),
    )
    return
  }
  try {
    context?.waitUntil?.(work)
  } catch (cause) {
    const remedy = 'Pass the context itself, or { waitUntil: (work) => context.waitUntil(work) }'
    report(new InteractionError('handler_failed', 'waitUntil', { cause, remedy }))
  }
}

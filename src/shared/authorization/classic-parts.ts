/** The modules that load later elsewhere, inside a classic script: it has nowhere to load them from. Replaces `parts.ts` in that build. */
import { argumentError } from './argument-error'
import { callbackChecks } from './callback-checks'
import type * as parts from './parts'

export const loadArgumentError: typeof parts.loadArgumentError = async () => ({ argumentError })
export const loadCallbackChecks: typeof parts.loadCallbackChecks = async () => ({ callbackChecks })

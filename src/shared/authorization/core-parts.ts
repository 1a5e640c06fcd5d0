/** The lazily loaded modules in the classic script of sign-in and sessions, which lacks the others. Replaces `parts.ts` in that build. */
import { leftOut } from '../foundation/left-out'
import type * as parts from './parts'

export { loadArgumentError } from './classic-parts'
export const loadCallbackChecks: typeof parts.loadCallbackChecks = leftOut

/** Modules that load when they are first needed. Classic scripts contain them: see `classic-parts.ts` and `core-parts.ts`. */
import { importPart } from '../foundation/import-part'

export const loadArgumentError = () => importPart(import('./argument-error'))
export const loadCallbackChecks = () => importPart(import('./callback-checks'))

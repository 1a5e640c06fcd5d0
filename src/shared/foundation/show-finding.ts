/** Tells the developer what to do: the panel of `vite dev` listens to the event. */
import type { LogEntry } from './log-entry'

/** Without the panel nobody hears it. */
export function showFinding(detail: LogEntry): void {
  globalThis.dispatchEvent(new CustomEvent('foyer:finding', { detail }))
}

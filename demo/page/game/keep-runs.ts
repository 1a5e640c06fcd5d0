/** Keeps the runs over a reload or a redirect, in the storage of the tab. */
import type { Run } from './runs'

const STORAGE_KEY = 'foyer-demo:runs'

export function keepRuns(runs: readonly Run[]): void {
  try {
    if (runs.length > 0) sessionStorage.setItem(STORAGE_KEY, JSON.stringify(runs))
  } catch {
    // Blocked or full: they end with the page.
  }
}

/** Reads what this page has stored, and removes it. */
export function takeRuns(): readonly Run[] {
  try {
    const runs: readonly Run[] = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    sessionStorage.removeItem(STORAGE_KEY)
    return runs
  } catch {
    return []
  }
}

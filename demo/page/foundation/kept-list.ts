/** Lists that survive a reload or a redirect, in the storage of the tab. */

export function keepList(key: string, entries: readonly unknown[]): void {
  try {
    if (entries.length > 0) sessionStorage.setItem(key, JSON.stringify(entries))
  } catch {
    // Blocked or full: they end with the page.
  }
}

/** Reads what this page has kept, and removes it. `none`: the list without anything kept. */
export function takeList<Entry>(key: string, none: readonly Entry[]): readonly Entry[] {
  try {
    const text = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    const kept: readonly Entry[] = text === null ? none : JSON.parse(text)
    return kept
  } catch {
    return none
  }
}

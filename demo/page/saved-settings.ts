/** Saves settings in `localStorage`, never a secret. */

const PREFIX = 'foyer-demo:'

/** Reads a record of strings; empty if nothing is saved or storage is not allowed. */
export function readSettings(name: string): Partial<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? '{}')
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

export function saveSettings(name: string, values: Partial<Record<string, string>>): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(values))
  } catch {
    // Blocked or full: the settings last as long as the page.
  }
}

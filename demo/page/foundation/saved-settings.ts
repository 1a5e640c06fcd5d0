/** Saves settings in `localStorage`, never a secret. */

const PREFIX = 'foyer-demo:'

/** Reads a record of strings; empty if nothing is saved or storage is not allowed. */
export function readSettings(name: string): Partial<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? '{}')
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

export function saveSettings(name: string, values: Partial<Record<string, string>>): void {
  saveText(name, JSON.stringify(values))
}

/** Reads a text; undefined if nothing is saved or storage is not allowed. */
export function readText(name: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined
  } catch {
    return undefined
  }
}

export function saveText(name: string, text: string): void {
  try {
    localStorage.setItem(PREFIX + name, text)
  } catch {
    // Blocked or full: the settings last as long as the page.
  }
}

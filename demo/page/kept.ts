/** What the page remembers on this machine: settings, never a secret. */

const PREFIX = 'foyer-demo:'

/** A record of texts; empty where nothing is kept or storage is not allowed. */
export function readKept(name: string): Partial<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + name) ?? '{}')
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return {}
  }
}

export function keep(name: string, values: Partial<Record<string, string>>): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(values))
  } catch {
    // Blocked or full: the settings live as long as the page.
  }
}

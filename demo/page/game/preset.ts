/** The emulator that was started together with this page, if one was. */

export interface Preset {
  host: string
  applicationId: string
  /** Of the application, for people. */
  name: string
  /** How many players one can sign in as. */
  players: number
}

/** Null on a page that was built and served alone. */
export async function loadPreset(): Promise<Preset | null> {
  try {
    const answer = await fetch('preset.json', { headers: { accept: 'application/json' } })
    return isPreset(await answer.json())
  } catch {
    return null
  }
}

function isPreset(value: unknown): Preset | null {
  if (typeof value !== 'object' || value === null) return null
  const { host, applicationId, name, players } = Object.assign({ host: 0, applicationId: 0, name: '', players: 0 }, value)
  return typeof host === 'string' && typeof applicationId === 'string' ? { host, applicationId, name, players } : null
}

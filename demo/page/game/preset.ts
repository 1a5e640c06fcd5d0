/** The emulator that was started together with this page, if one was. */

export interface Preset {
  host: string
  applicationId: string
  /** Of the application, for people. */
  name: string
  /** Whom one can sign in as. */
  players: readonly { id: string; name: string }[]
  /** Where this page can be opened as an Activity. */
  activity?: string
  /** ms that the emulator's clock is ahead of the machine's. */
  ahead?: number
}

/** Null on a page that was built and served alone. */
export async function loadPreset(): Promise<Preset | null> {
  try {
    const answer = await fetch('preset.json', { headers: { accept: 'application/json' } })
    const preset: Preset | null = await answer.json()
    return isPreset(preset)
  } catch {
    return null
  }
}

/** It comes from the command that served this very page. */
function isPreset(value: Preset | null): Preset | null {
  return typeof value?.host === 'string' && Array.isArray(value.players) ? value : null
}

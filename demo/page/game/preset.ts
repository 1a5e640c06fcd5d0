/** Configuration of the emulator that was started together with this page, if any. */

export interface Preset {
  host: string
  applicationId: string
  /** Display name of the application. */
  name: string
  /** Players that can sign in. */
  players: readonly { id: string; name: string }[]
  /** Redirect URIs that are registered for the application. */
  redirectUris?: readonly string[]
  /** URL that opens this page as an Activity. */
  activity?: string
  /** Offset of the emulator's clock from the machine's, in ms. */
  ahead?: number
  /** Changes with each start of the emulator, which has no state of an earlier one. */
  run?: string
}

/** Loads the configuration; null on a page that was built and served alone. */
export async function loadPreset(): Promise<Preset | null> {
  return (await reloadPreset()) ?? null
}

/** Like `loadPreset`, and undefined if nothing answers, or not yet. */
export async function reloadPreset(): Promise<Preset | null | undefined> {
  const answer = await fetch('preset.json', {
    headers: { accept: 'application/json' },
    cache: 'no-store',
  }).catch(() => undefined)
  if (answer === undefined || answer.status === 503) return undefined
  try {
    const preset: Preset | null = await answer.json()
    return isPreset(preset)
  } catch {
    return null
  }
}

/** The response comes from the server of this page. */
function isPreset(value: Preset | null): Preset | null {
  return typeof value?.host === 'string' && Array.isArray(value.players) ? value : null
}

/** Display name of a player: the members of a lobby are listed by id alone. */
export function memberName(id: string, preset: Preset | null): string {
  return preset?.players.find((player) => player.id === id)?.name ?? `Player …${id.slice(-4)}`
}

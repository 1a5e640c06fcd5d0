/** Signs a ready-made player in at the emulator that was started with the page, and measures the sign-in. */
import { onChange } from '../foundation/on-change'
import type { DemoContext } from './demo-context'

/** Measured result of a quick start. */
export interface QuickStartResult {
  /** ms from the click to the session. */
  ms: number
  /** HTTP requests that the SDK sent. */
  requests: number
  /** Checks of the SDK that passed. */
  checks: number
}

interface QuickStart {
  /** Display name of the player. */
  readonly player: string
  /** Signs in; resolves with undefined if it fails, which the page's own sign-in reports. */
  run(): Promise<QuickStartResult | undefined>
}

/** Returns undefined if the page has no emulator, or does not use it. */
export function findQuickStart(context: DemoContext): QuickStart | undefined {
  const [player] = context.preset?.players ?? []
  const controls = context.faultControls()
  if (!player || !controls || context.connection.value.client?.activity.launch) return undefined
  return { player: player.name, run: () => measure(context, controls.surfaceFor(player.id)) }
}

async function measure(
  { signIn, form, exchanges }: DemoContext,
  surface: Parameters<DemoContext['signIn']['start']>[1],
): Promise<QuickStartResult | undefined> {
  const begun = performance.now()
  const before = exchanges.list.value.at(-1)?.id ?? 0
  if (signIn.busy) return undefined
  // A pair made by the page would not create the client's session.
  signIn.start({ ...form.value, ownPair: undefined, customSchemeParam: '' }, surface)
  if (!(await isSignedIn(signIn))) return undefined
  const ms = performance.now() - begun
  const own = exchanges.list.value.filter(({ id }) => id > before)
  const passed = own.flatMap(({ checks }) => checks).filter(({ result }) => result === 'passed')
  return { ms, requests: own.filter(({ kind }) => kind === 'request').length, checks: passed.length }
}

/** Resolves when the attempt has ended. */
function isSignedIn({ progress }: DemoContext['signIn']): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = onChange(progress, ({ phase }) => {
      if (phase === 'waiting' || phase === 'redeeming') return
      stop()
      resolve(phase === 'signed-in')
    })
  })
}

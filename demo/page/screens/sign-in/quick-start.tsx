/** Button of the first minute: signs a ready-made player in, and shows the measured result with the next steps. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'
import type { DemoContext } from '../../context/demo-context'
import { useDemo } from '../../context/use-demo'
import { onChange } from '../../foundation/on-change'

/** The button with its result; without an emulator, the way to get one. */
export function QuickStart() {
  const context = useDemo()
  const { signIn, connection } = context
  const [result, setResult] = useState<QuickStartResult>()
  // Another sign-in has another result.
  useEffect(
    () =>
      onChange(
        signIn.progress,
        ({ phase, mode }) => (phase === 'idle' || mode !== 'emulator') && setResult(undefined),
      ),
    [signIn],
  )
  const run = async () => {
    setResult(undefined)
    setResult(await findQuickStart(context)?.run())
  }
  const isActivity = Boolean(connection.value.client?.activity.launch)
  const quick = findQuickStart(context)
  return (
    <div class="quick-start" hidden={isActivity}>
      <button
        type="button"
        class="secondary wide"
        id="quick-start"
        aria-describedby="quick-start-hint"
        aria-disabled={signIn.busy}
        hidden={quick === undefined}
        onClick={() => void run()}
      >
        <Icon name="clock" />
        Sign in with a test player
      </button>
      <div class="quick-words">
        <p class="hint" id="quick-start-hint">
          {quick ? offer(quick.player) : <WithoutEmulator />}
        </p>
        <div class="quick-result" role="status">
          {result && <Result result={result} />}
        </div>
      </div>
    </div>
  )
}

function offer(player: string): string {
  return `Signs ${player} in at the emulator beside this page, which approves by itself: nothing to install, enter or approve.`
}

function WithoutEmulator() {
  const { preset, connection } = useDemo()
  if (preset || connection.value.client) return null
  return (
    <>
      This page was served alone. <code>npm run demo</code> starts an emulator beside it, or enter a service
      under Service.
    </>
  )
}

function Result({ result: { ms, requests, checks } }: { result: QuickStartResult }) {
  const { address } = useDemo()
  return (
    <>
      <p>{`Signed in after ${(ms / 1000).toFixed(1)} s: ${requests} requests, ${checks} checks passed.`}</p>
      <p class="hint">
        Next: <a href={address.linkTo('exchange')}>what was sent</a>, or{' '}
        <a href={address.linkTo('lobby')}>two players in a lobby</a>.
      </p>
    </>
  )
}

/** Measured result of a quick start. */
interface QuickStartResult {
  /** ms from the click to the session. */
  ms: number
  /** HTTP requests that the SDK sent. */
  requests: number
  /** Checks of the SDK that passed. */
  checks: number
}

/** Sign-in of a ready-made player at the emulator that was started with the page. */
interface QuickStartRun {
  /** Display name of the player. */
  readonly player: string
  /** Signs in; resolves with undefined if it fails, which the page's own sign-in reports. */
  run(): Promise<QuickStartResult | undefined>
}

/** Returns undefined if the page has no emulator, or does not use it. */
function findQuickStart(context: DemoContext): QuickStartRun | undefined {
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

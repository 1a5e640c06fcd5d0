/** Button of the first minute: signs a ready-made player in, and shows the measured result with the next steps. */
import { useEffect, useState } from 'preact/hooks'
import { findQuickStart, type QuickStartResult } from '../context/find-quick-start'
import { onChange } from '../foundation/on-change'
import { Icon } from 'kit/icon'
import { useDemo } from '../context/use-demo'

/** The button with its result; without an emulator, the way to get one. */
export function QuickStart() {
  const context = useDemo()
  const { signIn, connection } = context
  const [result, setResult] = useState<QuickStartResult>()
  // Another sign-in has another result.
  useEffect(
    () => onChange(signIn.progress, ({ phase, mode }) => (phase === 'idle' || mode !== 'emulator') && setResult(undefined)),
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
        Start in 10 seconds
      </button>
      <p class="hint" id="quick-start-hint">
        {quick ? offer(quick.player) : <WithoutEmulator />}
      </p>
      <div class="quick-result" role="status">
        {result && <Result result={result} />}
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
      This page was served alone. <code>npm run demo</code> starts an emulator beside it, or enter a service under Service.
    </>
  )
}

function Result({ result: { ms, requests, checks } }: { result: QuickStartResult }) {
  const { address } = useDemo()
  return (
    <>
      <p>{`Signed in after ${(ms / 1000).toFixed(1)} s: ${requests} requests, ${checks} checks passed.`}</p>
      <p class="hint">
        Next: <a href={address.linkTo('exchange')}>what was sent</a>, or <a href={address.linkTo('lobby')}>two players in a lobby</a>.
      </p>
    </>
  )
}

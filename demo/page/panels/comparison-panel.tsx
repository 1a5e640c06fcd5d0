/** Sign-in by an unrelated library beside the one of Foyer: the same service, client and scopes, and whose fault a failure is. */
import { useEffect, useState } from 'preact/hooks'
import { compareSignIns, type Verdict } from '../independent/compare-sign-ins'
import { reportOfFoyer } from '../independent/report'
import { onChange } from '../foundation/on-change'
import { startSignIn } from '../context/demo-context'
import { Busy } from 'kit/busy'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../context/use-demo'
import { ClientAuthentication } from './client-authentication'
import { ComparisonTable } from './comparison-table'

const INTRO =
  'Signs in with the same settings by oauth4webapi, a library that shares nothing with Foyer but the window and its callback page.'

export function ComparisonPanel() {
  const { signIn, connection, independent, sessionLog } = useDemo()
  const { error: settingsError } = connection.value
  const foyer = reportOfFoyer(signIn.progress.value, signIn.player.value, { settingsError, now: sessionLog.now() })
  const other = independent.report.value
  return (
    <Panel id="comparison" title="Whose fault is it?" intro={INTRO}>
      <ClientAuthentication />
      <StartButtons />
      <div class="comparison">
        <ComparisonTable foyer={foyer} other={other} />
      </div>
      <p class="verdict" role="status">
        <VerdictWords verdict={compareSignIns(foyer, other)} />
      </p>
      <TokenButtons />
    </Panel>
  )
}

function StartButtons() {
  const context = useDemo()
  const { independent, signIn } = context
  const isRunning = independent.report.value.state === 'running'
  const cancel = () => {
    signIn.cancel()
    independent.cancel()
  }
  return (
    <div class="buttons">
      <button type="button" class="secondary" disabled={signIn.busy} onClick={() => startSignIn(context)}>
        Sign in with Foyer
      </button>
      <button type="button" class="secondary" id="with-oauth4webapi" disabled={isRunning} onClick={() => void independent.start()}>
        Sign in with oauth4webapi
      </button>
      <button
        type="button"
        class="secondary"
        id="open-window"
        hidden={independent.blocked.value === undefined}
        onClick={() => void independent.openBlocked()}
      >
        Open the window
      </button>
      <button type="button" class="secondary" hidden={!signIn.busy && !isRunning} onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}

function VerdictWords({ verdict: { party, text } }: { verdict: Verdict }) {
  if (party === 'unknown') return <>{text}</>
  return (
    <>
      <Icon name={party === 'nobody' ? 'check' : 'warning'} />
      <span>
        <strong>{party === 'nobody' ? 'Nobody is at fault.' : `At fault: ${party}.`}</strong> {text}
      </span>
    </>
  )
}

const ACTIONS = [
  { action: 'refresh', label: 'Refresh now', doing: 'Refreshing…' },
  { action: 'revoke', label: 'Revoke', doing: 'Revoking…' },
] as const

/** Buttons for the tokens of the unrelated library. */
function TokenButtons() {
  const { independent } = useDemo()
  const [status, setStatus] = useState<{ text: string; isBusy: boolean }>()
  useEffect(() => onChange(independent.report, () => setStatus(undefined)), [independent])
  const act = async ({ action, doing }: (typeof ACTIONS)[number]) => {
    setStatus({ text: doing, isBusy: true })
    setStatus({ text: await independent.act(action), isBusy: false })
  }
  return (
    <div class="token-buttons" hidden={independent.report.value.state !== 'signed in'}>
      <h3>Tokens of oauth4webapi</h3>
      <div class="buttons">
        {ACTIONS.map((one) => (
          <button type="button" class="secondary" key={one.action} onClick={() => void act(one)}>
            {one.label}
          </button>
        ))}
      </div>
      <p class="hint" role="status">
        {status?.isBusy ? <Busy text={status.text} /> : status?.text}
      </p>
      <p class="hint">Foyer’s own session is refreshed and revoked under Sign-in, Lifecycle.</p>
    </div>
  )
}

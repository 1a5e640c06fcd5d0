/** Sign-in by an unrelated library beside the one of Foyer: the same service, client and scopes, and whose fault a failure is. */
import { useEffect, useState } from 'preact/hooks'
import { Busy } from 'kit/busy'
import { Choice } from 'kit/field'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { startSignIn } from '../../context/demo-context'
import { useDemo } from '../../context/use-demo'
import { onChange } from '../../foundation/on-change'
import { reportOfFoyer } from '../../independent/report'
import { compareSignIns, type Verdict } from './compare-sign-ins'
import { ComparisonTable } from './comparison-table'

const INTRO =
  'Signs in with the same settings by oauth4webapi, a library that shares nothing with Foyer but the window and its callback page.'

export function ComparisonPanel() {
  const { signIn, connection, independent, sessionLog } = useDemo()
  const { error: settingsError } = connection.value
  const foyer = reportOfFoyer(signIn.progress.value, signIn.player.value, {
    settingsError,
    now: sessionLog.now(),
  })
  const other = independent.report.value
  return (
    <Panel id="comparison" title="Compare with another library" intro={INTRO}>
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
      <button
        type="button"
        class="secondary"
        id="with-oauth4webapi"
        disabled={isRunning}
        onClick={() => void independent.start()}
      >
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

const METHODS = [
  { value: 'none', label: 'none' },
  { value: 'post', label: 'in the body' },
  { value: 'basic', label: 'as Basic' },
] as const

/** Client secret for tests at a service that insists on one: in memory only, and for the unrelated library only. */
export function ClientAuthentication() {
  const { authentication } = useDemo().independent
  const { method, secret } = authentication.value
  return (
    <div class="authentication">
      <Choice<typeof method>
        name="client-authentication"
        legend="Client secret"
        hint="For oauth4webapi only."
        value={method}
        choices={METHODS}
        onChange={(chosen) =>
          (authentication.value = { method: chosen, secret: chosen === 'none' ? '' : secret })
        }
      />
      {/* Browsers expect password fields in a form; this one sends nothing. */}
      <form class="field" hidden={method === 'none'} onSubmit={(event) => event.preventDefault()}>
        <label for="client-secret">Client secret, for this test</label>
        <input
          id="client-secret"
          type="password"
          autocomplete="off"
          aria-describedby="client-secret-hint"
          value={secret}
          onInput={({ currentTarget }) => (authentication.value = { method, secret: currentTarget.value })}
        />
        <p class="secret-warning" id="client-secret-hint">
          <Icon name="warning" />
          <span>
            A game never has a client secret: everybody who has its page could read it. Use the secret of a
            test application. It stays in memory, is never saved or exported, and is cleared when the settings
            change or the page is left. Foyer’s client has no option for it.
          </span>
        </p>
      </form>
    </div>
  )
}

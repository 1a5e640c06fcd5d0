/** Sign-in by a device code: the player enters it on another device, while this page polls. */
import { useMemo, useState } from 'preact/hooks'
import { type DeviceProgress, type DeviceResult, DeviceSignIn, type Party } from './device-sign-in'
import type { DeviceCode } from '../../independent/independent-client'
import { Busy } from 'kit/busy'
import { CopyButton } from 'kit/copy-button'
import { duration } from 'kit/format-time'
import { Icon } from 'kit/icon'
import { Choice } from 'kit/field'
import { Panel } from 'kit/panel'
import { useEverySecond } from '../../foundation/every-second'
import { useDemo } from '../../context/use-demo'

const INTRO =
  'For devices without a browser: the player enters the code elsewhere, and the page polls until they have decided (RFC 8628).'
const PARTIES = [
  { value: 'foyer', label: 'Foyer' },
  { value: 'oauth4webapi', label: 'oauth4webapi' },
] as const

export function DeviceCodePanel() {
  const context = useDemo()
  const device = useMemo(() => new DeviceSignIn(context), [context])
  const [party, setParty] = useState<Party>('foyer')
  const progress = device.progress.value
  const isRunning = progress.kind === 'requesting' || progress.kind === 'waiting'
  return (
    <Panel id="device-code" title="Device code" intro={INTRO}>
      <Choice<Party>
        name="device-party"
        legend="Run it with"
        value={party}
        choices={PARTIES}
        onChange={setParty}
      />
      <div class="buttons">
        <button type="button" class="secondary" onClick={() => void device.start(party)}>
          Request a code
        </button>
        <button type="button" class="secondary" hidden={!isRunning} onClick={() => device.cancel()}>
          Cancel
        </button>
      </div>
      {progress.kind === 'waiting' && <Code code={progress.code} />}
      <div class="device-status" role="status">
        <Status progress={progress} />
      </div>
    </Panel>
  )
}

function Status({ progress }: { progress: DeviceProgress }) {
  if (progress.kind === 'none') return <>No code was requested yet.</>
  if (progress.kind === 'requesting') return <Busy text="Requesting a code…" />
  if (progress.kind === 'waiting') return <Busy text={pollWords(progress.polls, progress.seconds)} />
  return <Result result={progress} />
}

function pollWords(polls: number, seconds: number | undefined): string {
  if (seconds === undefined) return 'Waiting for the player.'
  return `Waiting for the player: polled ${polls === 1 ? 'once' : `${polls} times`}, next in ${Math.round(seconds)} s.`
}

/** The code with its link and the time left. */
function Code({
  code: { userCode, verificationUri, verificationUriComplete, expiresAt },
}: {
  code: DeviceCode
}) {
  const { clock } = useDemo()
  useEverySecond()
  return (
    <div class="device-code">
      <p class="user-code">
        <code>{userCode}</code>
        <CopyButton what="the code" text={() => userCode} />
      </p>
      <p>
        Enter it at <PageLink address={verificationUri} words={verificationUri} />.
      </p>
      <p>
        <PageLink address={verificationUriComplete} words="Open the page with the code filled in" />
      </p>
      <p class="hint">Expires in {duration(expiresAt - clock.now())}.</p>
    </div>
  )
}

/** The address comes from the service: only pages of the web are linked. */
function PageLink({ address, words }: { address: string; words: string }) {
  if (!/^https?:\/\//.test(address)) return <code>{address}</code>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}

function Result({ result }: { result: DeviceResult }) {
  if (result.kind === 'failed')
    return (
      <>
        <p class="result-bad">
          <Icon name="cross" />
          <code>{result.code}</code>
        </p>
        <p>{result.text}</p>
      </>
    )
  const { player, scopes, lifetime, refreshToken } = result.facts
  const facts = { Player: player, Scopes: scopes, Lifetime: lifetime, 'Refresh token': refreshToken }
  return (
    <>
      <p class="result-good">
        <Icon name="check" />
        The player approved, and the tokens came. They are not stored.
      </p>
      <dl class="facts">
        {Object.entries(facts).flatMap(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>
            <code>{value}</code>
          </dd>,
        ])}
      </dl>
    </>
  )
}

/** Token screen: decodes a token from anywhere, and says whether its signature was checked, and with which key. */
import { useState } from 'preact/hooks'
import { Busy } from 'kit/busy'
import { EncodedToken } from 'kit/encoded-token'
import { Choice } from 'kit/field'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { inOrder } from '../../exchanges/decode-token'
import { useEverySecond } from '../../foundation/every-second'
import { addressesOf } from '../../game/addresses-of'
import { ClaimTable } from '../../ui/claim-table'
import type { SignatureCheck } from './check-signature'
import { type Pasted, readPasted } from './read-pasted'
import { useSignature } from './use-signature'

const INTRO =
  'Paste an ID token or an access token of any service. It stays in this page: it is not stored, not sent, and not in the address.'

const ICONS = { valid: 'check', invalid: 'cross', unchecked: 'warning' } as const

export function TokenPanel() {
  const [text, setText] = useState('')
  const [pastedKeys, setPastedKeys] = useState<string>()
  const pasted = readPasted(text)
  const clear = (
    <button type="button" class="quiet" hidden={text === ''} onClick={() => setText('')}>
      Clear
    </button>
  )
  return (
    <Panel id="token" title="Token" intro={INTRO} tools={clear}>
      <div class="token-split">
        <div class="token-given">
          <div class="field">
            <label for="pasted-token">Token</label>
            <textarea
              id="pasted-token"
              rows={8}
              autocomplete="off"
              autocapitalize="off"
              spellcheck={false}
              placeholder="eyJhbGciOi…"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </div>
          <KeyChoice pastedKeys={pastedKeys} choose={setPastedKeys} />
        </div>
        <div class="token-read">
          <Contents pasted={pasted} pastedKeys={pastedKeys} />
        </div>
      </div>
    </Panel>
  )
}

interface KeyProps {
  /** Undefined for those of the chosen service. */
  pastedKeys: string | undefined
  choose: (keys: string | undefined) => void
}

function KeyChoice({ pastedKeys, choose }: KeyProps) {
  const keysUrl = useKeysUrl()
  return (
    <>
      <Choice
        name="token-keys"
        legend="Check the signature with"
        value={pastedKeys === undefined ? 'service' : 'pasted'}
        choices={[
          { value: 'service', label: 'keys of the service' },
          { value: 'pasted', label: 'pasted keys' },
        ]}
        onChange={(source) => choose(source === 'pasted' ? '' : undefined)}
      >
        {pastedKeys === undefined && (
          <p class="hint">{keysUrl === undefined ? 'No service is chosen.' : <code>{keysUrl}</code>}</p>
        )}
      </Choice>
      {pastedKeys !== undefined && (
        <div class="field">
          <label for="pasted-keys">JSON Web Key, or set of keys</label>
          <textarea
            id="pasted-keys"
            rows={5}
            autocomplete="off"
            spellcheck={false}
            placeholder='{ "keys": [ … ] }'
            value={pastedKeys}
            onInput={({ currentTarget }) => choose(currentTarget.value)}
          />
        </div>
      )}
    </>
  )
}

function useKeysUrl(): string | undefined {
  const connection = useDemo().connection.value
  return connection.client && addressesOf(connection.options.service).keysUrl
}

function Contents({ pasted, pastedKeys }: { pasted: Pasted; pastedKeys: string | undefined }) {
  const now = useNow()
  if (pasted.kind === 'nothing')
    return <p class="empty">Header, claims and signature of the token appear here.</p>
  if (pasted.kind === 'unreadable')
    return (
      <p class="fault" role="alert">
        <Icon name="cross" />
        <span>{pasted.reason}</span>
      </p>
    )
  if (pasted.kind === 'encrypted')
    return (
      <>
        <p role="status">This token is encrypted: only its header can be read, and nothing was checked.</p>
        <ClaimTable caption="Header" values={pasted.header} now={now} />
      </>
    )
  return <Signed pasted={pasted} pastedKeys={pastedKeys} />
}

interface SignedProps {
  pasted: Extract<Pasted, { kind: 'signed' }>
  pastedKeys: string | undefined
}

function Signed({ pasted: { token, header, claims }, pastedKeys }: SignedProps) {
  const now = useNow()
  const check = useSignature({ token, header, pastedKeys, keysUrl: useKeysUrl() })
  return (
    <>
      <div role="status" class={`verdict token-${check?.result ?? 'pending'}`}>
        <Verdict check={check} />
      </div>
      <ClaimTable caption="Header" values={header} now={now} />
      <ClaimTable caption="Claims" values={inOrder(claims)} now={now} />
      <details>
        <summary>The token in its three parts</summary>
        <EncodedToken token={token} />
      </details>
    </>
  )
}

/** Epoch ms of the emulator's clock, again each second. */
function useNow(): number {
  const { sessionLog } = useDemo()
  useEverySecond()
  return sessionLog.now()
}

function Verdict({ check }: { check: SignatureCheck | undefined }) {
  if (!check) return <Busy text="Checking the signature." />
  const { result, words } = check
  return (
    <>
      <Icon name={ICONS[result]} />
      <div>
        <p>
          <strong>Signature</strong> {words}
        </p>
        <p class="hint">
          Nothing else is checked here: issuer, audience and times are shown as the token has them.
        </p>
      </div>
    </>
  )
}

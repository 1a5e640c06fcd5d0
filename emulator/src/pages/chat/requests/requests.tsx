/** Log of requests to the backend and its responses, newest first, with the URLs of the backend and the game. */
import { post } from '../shared/chat-api.js'
import type { DeliveryLogEntry, View } from '../shared/chat-data.js'
import { DeadlineBar, TokenTime } from './deadline-bar.js'
import type { TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'

export function Requests({ view, connect }: { view: View; connect: () => void }) {
  return (
    <aside class="requests" aria-label="Requests">
      <h2>Requests to the backend</h2>
      <Address
        label="Interactions endpoint"
        name="connect"
        current={view.endpoint}
        hint="http://localhost:3000/interactions"
        done={connect}
      />
      {view.bots > 0 && (
        <p class="quiet">
          {view.bots === 1 ? 'A bot' : `${view.bots} bots`} at the gateway {view.bots === 1 ? 'gets' : 'get'}{' '}
          the interactions.
        </p>
      )}
      <Address
        label="Activity"
        name="game"
        current={view.game}
        hint="http://localhost:5173/"
        done={connect}
      />
      {view.exchanges.length === 0 && <p class="quiet">Nothing was sent yet.</p>}
      <ul>
        {view.exchanges.map((exchange) => (
          <Exchange key={`${exchange.id} ${exchange.kind}`} exchange={exchange} view={view} />
        ))}
      </ul>
    </aside>
  )
}

interface AddressProps {
  label: string
  /** Route of the chat API that sets it. */
  name: 'connect' | 'game'
  current: string | null
  /** Example of an address. */
  hint: string
  done: () => void
}

function Address({ label, name, current, hint, done }: AddressProps) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const set = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const answer = await post(name, { url: new FormData(event.currentTarget).get('url') })
    setBusy(false)
    setProblem(answer.problem)
    if (!answer.problem) done()
  }
  return (
    <form class="address" onSubmit={(event) => void set(event)}>
      <label class="field">
        <span>{label}</span>
        <input
          type="url"
          name="url"
          required
          key={current}
          placeholder={hint}
          defaultValue={current ?? ''}
          spellcheck={false}
        />
      </label>
      <button disabled={busy} aria-label={`Set the ${label}`}>
        {busy ? '…' : 'Set'}
      </button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}

function Exchange({ exchange, view: { deadlines, now } }: { exchange: DeliveryLogEntry; view: View }) {
  const { kind, subject, request, answer, ms, refused, calls } = exchange
  return (
    <li>
      <details class={refused ? 'refused' : ''}>
        <summary>
          <span class="tag">{kind}</span> <b>{subject}</b> <span class="result">{resultOf(exchange)}</span>
          {refused && <span class="why">{refused}</span>}
          <DeadlineBar exchange={exchange} deadlines={deadlines} />
        </summary>
        <TokenTime key={now} exchange={exchange} deadlines={deadlines} now={now} />
        {request && (
          <h3>
            Request <span class="quiet">POST {request.url}</span>
          </h3>
        )}{' '}
        {request && <Part {...request} />}
        {answer && (
          <h3>
            Answer{' '}
            <span class="quiet">
              {answer.status}, {ms} ms
            </span>
          </h3>
        )}{' '}
        {answer && <Part {...answer} />}
        {calls.length > 0 && <h3>Calls by its token</h3>}
        {calls.map(({ method, path, status, body, rule }) => (
          <>
            <p class="call">
              <b>{method}</b> {path} <b>{status}</b>
              {rule && <span class="why">{rule}</span>}
            </p>
            {body && <pre tabIndex={0}>{pretty(body)}</pre>}
          </>
        ))}
      </details>
    </li>
  )
}

function Part({ headers, body }: { headers: Record<string, string>; body: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (
    <pre tabIndex={0}>
      {lines.join('\n')}
      {body ? `\n\n${pretty(body)}` : ''}
    </pre>
  )
}

function resultOf({ request, answer, refused }: DeliveryLogEntry): string {
  if (answer) return String(answer.status)
  if (!request) return refused ? 'not sent' : '…'
  return refused ? 'no answer' : '…'
}

/** Formatted for reading; the signed body had no added spaces. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

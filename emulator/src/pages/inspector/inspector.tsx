/** Inspector page: requests as they complete, lobbies, limits, faults, clock and tokens of the emulator. */
import { watchEmulator } from '../shared/watch-emulator.js'
import {
  change,
  listenToRequests,
  read,
  readToken,
  setToken,
  type Connection,
} from './control/inspector-api.js'
import type {
  Act,
  GatewayOverview,
  ListedRequest,
  Overview,
  Snapshots as SnapshotList,
  Webhooks,
} from './control/inspector-data.js'
import { Requests } from './requests.js'
import { InspectorTabs, showTab, useInspectorTab, type InspectorTab, type Shown } from './tabs.js'
import { render, type TargetedEvent } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'

/** Milliseconds between two readings of the state. */
const REFRESH = 1000

/** Beginning of a notice about a change that was not made. */
const FAILED = 'Not done: '

function App() {
  const [isOpen, setOpen] = useState(readToken)
  return isOpen ? <Inspector /> : <Closed enter={() => setOpen(true)} />
}

function Closed({ enter }: { enter: () => void }) {
  const [answers, setAnswers] = useState(true)
  useEffect(() => watchEmulator('/chat/events', (state) => setAnswers(state.answers)), [])
  return (
    <main class="token">
      <h1>Inspector</h1>
      {!answers && (
        <p class="problem" role="alert">
          The emulator does not answer. The page connects again by itself.
        </p>
      )}
      <p>Open the link that the emulator prints in its terminal, or enter its control token here.</p>
      <TokenForm enter={enter} />
    </main>
  )
}

function Inspector() {
  const [requests, setRequests] = useState<ListedRequest[]>([])
  const [shown, setShown] = useState<Shown>()
  const [connection, setConnection] = useState<Connection>('open')
  const [notice, setNotice] = useState('')
  const [tab, openTab] = useInspectorTab()
  const goTo = (next: InspectorTab) => {
    openTab(next)
    showTab(next)
  }
  const load = useCallback(() => readShown().then(setShown, () => undefined), [])
  useEffect(
    () =>
      listenToRequests(
        (list, { isAll }) => setRequests((all) => appendRequests(isAll ? [] : all, list)),
        setConnection,
      ),
    [],
  )
  useEffect(() => {
    void load()
    const timer = setInterval(() => void load(), REFRESH)
    return () => clearInterval(timer)
  }, [load])
  // The stream may be open already: it uses the new token as soon as the form has it.
  const retry = () => setConnection((state) => (state === 'refused' ? 'lost' : state))
  const act: Act = async (path, body, done) => {
    const problem = await change(path, body).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    setNotice(problem === undefined ? done : FAILED + problem)
    await load()
    return problem === undefined
  }
  return (
    <>
      <LostConnection connection={connection} retry={retry} />
      <main>
        <header class="page-head">
          <h1>Inspector</h1>
          {shown && <Strip overview={shown.overview} open={goTo} />}
        </header>
        <Requests
          requests={requests}
          now={shown?.overview.now ?? Date.now()}
          limits={shown?.overview.limits}
        />
        {shown ? (
          <InspectorTabs shown={shown} act={act} tab={tab} open={openTab} />
        ) : (
          <p class="empty">Loading…</p>
        )}
      </main>
      <p class={notice.startsWith(FAILED) ? 'notice bad' : 'notice'} role="status">
        {notice}
      </p>
    </>
  )
}

function LostConnection({ connection, retry }: { connection: Connection; retry: () => void }) {
  if (connection === 'open') return null
  if (connection === 'lost')
    return (
      <p class="lost" role="alert">
        The emulator does not answer. The page connects again by itself.
      </p>
    )
  return (
    <section class="panel lost" aria-label="Another control token">
      <p role="alert">
        The emulator was started again with another control token. Enter the one that its terminal prints now.
      </p>
      <TokenForm enter={retry} />
    </section>
  )
}

async function readShown(): Promise<Shown> {
  const [overview, snapshots, webhooks, gateway] = await Promise.all([
    read<Overview>('overview'),
    read<SnapshotList>('snapshots'),
    read<Webhooks>('webhooks'),
    read<GatewayOverview>('gateway'),
  ])
  return { overview, snapshots, webhooks, gateway }
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

interface StripProps {
  overview: Overview
  /** Opens the tab with more about an entry. */
  open: (tab: InspectorTab) => void
}

function Strip({ overview: { now, frozen, faults, lobbies }, open }: StripProps) {
  const entries: [tab: InspectorTab, words: string][] = [
    ['clock', `clock ${aheadWords(now - Date.now())}${frozen ? ', stopped' : ''}`],
    ['faults', `${count(faults.length, 'fault')} armed`],
    ['lobbies', count(lobbies.length, 'lobby', 'lobbies')],
  ]
  return (
    <ul class="strip" aria-label="State of the emulator">
      {entries.map(([tab, words]) => (
        <li key={tab}>
          <button
            type="button"
            class={tab === 'faults' && faults.length > 0 ? 'armed' : ''}
            onClick={() => open(tab)}
          >
            {words}
          </button>
        </li>
      ))}
    </ul>
  )
}

const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** A difference of less than 5 s is the time that the answer took. */
function aheadWords(ms: number): string {
  if (Math.abs(ms) < 5000) return 'as this machine'
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? UNITS[3]
  return `${ms < 0 ? '−' : '+'}${Math.round(Math.abs(ms) / size)} ${unit}`
}

/** @param enter called after the emulator has accepted the token. */
function TokenForm({ enter }: { enter: () => void }) {
  const [problem, setProblem] = useState('')
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget).get('token')
    setToken(typeof token === 'string' ? token : '')
    await read('clock').then(enter, (error: unknown) =>
      setProblem(`Not opened: ${error instanceof Error ? error.message : String(error)}.`),
    )
  }
  return (
    <>
      <form class="token-form" onSubmit={(event) => void submit(event)}>
        <label>
          Control token <input name="token" type="password" autocomplete="off" required />
        </label>
        <button class="primary">Open</button>
      </form>
      <p class={problem === '' ? '' : 'problem'} role="alert">
        {problem}
      </p>
    </>
  )
}

/** Requests that stay in the page. */
const CAPACITY = 5000

/** A request that is there already is replaced: its sender became known. Nearly all are newer than those that are there. */
function appendRequests(known: ListedRequest[], added: ListedRequest[]): ListedRequest[] {
  const last = known.at(-1)?.serial ?? 0
  if (added.every(({ serial }) => serial > last)) return [...known, ...added].slice(-CAPACITY)
  const changed = new Map(added.map((request) => [request.serial, request]))
  const kept = known.map((request) => {
    const next = changed.get(request.serial)
    changed.delete(request.serial)
    return next ?? request
  })
  return [...kept, ...changed.values()].slice(-CAPACITY)
}

const root = document.querySelector('#inspector')
if (root !== null) {
  root.replaceChildren()
  render(<App />, root)
}

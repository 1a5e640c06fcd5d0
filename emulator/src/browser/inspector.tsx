/** Inspector page: requests as they complete, lobbies, limits, faults, clock and tokens of the emulator. */
import { html, render, useCallback, useEffect, useState } from './preact.js'
import { control, listenToRequests, readToken, setToken } from './inspector-api.js'
import { Clock, Faults, Limits, Lobbies, Players } from './inspector-side-panels.js'
import { Requests } from './inspector-requests.js'
import { Deliveries, Snapshots } from './inspector-snapshots-and-deliveries.js'

/** Requests that stay in the page. */
const CAPACITY = 5000
const REFRESH = 1000

function App() {
  const [isOpen, setOpen] = useState(readToken)
  return isOpen ? html`<${Inspector} leave=${() => setOpen(false)} />` : html`<${TokenForm} enter=${() => setOpen(true)} />`
}

function TokenForm({ enter }) {
  return html`<main class="token">
    <h1>Inspector</h1>
    <p>Open the link that the emulator prints in its terminal, or enter its control token here.</p>
    <${TokenField} enter=${enter} />
  </main>`
}

function TokenField({ enter }) {
  const [problem, setProblem] = useState('')
  const submit = async (event) => {
    event.preventDefault()
    setToken(new FormData(event.target).get('token'))
    await control('clock').then(enter, (error) => setProblem(error.message))
  }
  return html`<form class="token-form" onSubmit=${submit}>
      <label>Control token <input name="token" type="password" autocomplete="off" required /></label>
      <button class="primary">Open</button>
    </form>
    <p role="alert">${problem}</p>`
}

function Inspector() {
  const [requests, setRequests] = useState([])
  const [overview, setOverview] = useState()
  const [connection, setConnection] = useState('open')
  const [notice, setNotice] = useState('')
  const load = useCallback(() => readOverview().then(setOverview, () => undefined), [])
  useEffect(() => {
    const received = (list, isAll) => setRequests((all) => (isAll ? list : [...all, ...list].slice(-CAPACITY)))
    return listenToRequests(received, setConnection)
  }, [])
  useEffect(() => {
    void load()
    const timer = setInterval(() => void load(), REFRESH)
    return () => clearInterval(timer)
  }, [load])
  const act = async (path, body, done) => {
    try {
      await control(path, body)
      setNotice(done)
    } catch (error) {
      setNotice(`Not done: ${error.message}`)
    }
    await load()
  }
  return html`<header class="top">
      <h1>Inspector <span>${overview?.application.name ?? ''}</span></h1>
      <nav aria-label="Pages">
        <a href="/">Index</a> <a href="/chat">Chat</a>
        ${overview?.activity && html`<a href=${overview.activity}>Activity</a>`}
      </nav>
    </header>
    ${connection === 'lost' && html`<p class="lost" role="alert">The emulator does not answer. The page connects again by itself.</p>`}
    ${
      connection === 'refused' &&
      html`<section class="panel lost" aria-label="Another control token">
        <p role="alert">The emulator was started again with another control token. Enter the one that its terminal prints now.</p>
        <${TokenField} enter=${() => setConnection('lost')} />
      </section>`
    }
    <p class="notice" role="status">${notice}</p>
    <main>
      <${Requests} requests=${requests} />
      ${
        overview
          ? html`<div class="side">
              <${Clock} now=${overview.now} act=${act} />
              <${Faults} faults=${overview.faults} act=${act} />
              <${Lobbies} lobbies=${overview.lobbies} now=${overview.now} players=${overview.players} />
              <${Limits} limits=${overview.limits} />
              <${Players} players=${overview.players} act=${act} />
              <${Snapshots} snapshots=${overview.snapshots} act=${act} />
              <${Deliveries} webhooks=${overview.webhooks} act=${act} />
            </div>`
          : html`<p class="empty">Loading…</p>`
      }
    </main>`
}

async function readOverview() {
  const [overview, snapshots, webhooks] = await Promise.all([control('overview'), control('snapshots'), control('webhooks')])
  return { ...overview, snapshots, webhooks }
}

render(html`<${App} />`, document.querySelector('#inspector'))

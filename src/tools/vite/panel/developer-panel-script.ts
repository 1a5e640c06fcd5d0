/** Script of the developer panel: a button in the corner of the page, and the emulator's state. */

const STYLE = `
:host { all: initial; position: fixed; z-index: 2147483647; inset: auto 12px 12px auto; display: flex; flex-direction: column; max-width: calc(100% - 24px); max-height: calc(100% - 24px); font: 13px/1.5 system-ui, sans-serif; color: #f4f4f8 }
button { font: inherit; color: inherit; background: #3b3b52; border: 0; border-radius: 6px; padding: 4px 10px; cursor: pointer }
button:hover { background: #55557a } button:focus-visible { outline: 2px solid #a9a4ff }
#toggle { flex: none; align-self: end; background: #5b4ddb; font-weight: 600 }
section { box-sizing: border-box; width: 348px; max-width: 100%; min-height: 0; overflow: auto; overflow-wrap: anywhere; background: #1d1d2bf2; border-radius: 10px; padding: 12px 14px; margin-bottom: 8px; box-shadow: 0 8px 30px #0006 }
h2 { font-size: 12px; margin: 10px 0 4px; color: #a9a4ff } h2:first-child { margin-top: 0 } p { margin: 2px 0 } a { color: inherit }
.row { display: flex; gap: 4px 10px; flex-wrap: wrap } .row a { padding: 2px 0 } [hidden] { display: none }`

const ACTIONS = {
  unavailable: 'Next call: 503',
  slow: 'Next call: 3 s late',
  offline: 'Next call: no network',
  expire: 'Expire tokens',
  revoke: 'Revoke tokens',
}

/** More of them are the same mistake again. */
const SHOWN_FINDINGS = 8

interface State {
  url: string
  applicationId: string
  /** Address of the Activity's host page. */
  activity?: string
  /** Names of those who are signed in. */
  players: string[]
  uses: { name: string; player: string; used: number; limit: number }[]
  requests: { method: string; path: string; status: number; player?: string; rule?: string }[]
}

const endpoint = new URL('state', import.meta.url)
const root = document.body.appendChild(document.createElement('foyer-panel')).attachShadow({ mode: 'open' })
const sheet = new CSSStyleSheet()
sheet.replaceSync(STYLE)
root.adoptedStyleSheets = [sheet]

const section = root.appendChild(document.createElement('section'))
section.hidden = true
section.setAttribute('aria-label', 'Foyer')
const findings = section.appendChild(document.createElement('div'))
const details = section.appendChild(document.createElement('div'))
heading('Faults')
const buttons = row()
for (const [action, label] of Object.entries(ACTIONS))
  add(buttons, label).addEventListener('click', () => void load(action))
heading('Open')
const links = row()
addSecondPlayer()
addLink('Inspector').href = new URL('inspector', import.meta.url).href
const chat = addLink('Chat')
const activity = addLink('Activity')
const toggle = add(root, 'Foyer')
toggle.id = 'toggle'
toggle.ariaExpanded = 'false'
let timer: ReturnType<typeof setInterval> | undefined
toggle.addEventListener('click', () => {
  section.hidden = !section.hidden
  toggle.ariaExpanded = String(!section.hidden)
  clearInterval(timer)
  if (section.hidden) return
  void load()
  timer = setInterval(() => void load(), 1000)
})

/** What a client of the page has found, with what to do, once each. */
const found = new Set<string>()
window.addEventListener('foyer:finding', (event) => {
  const { step, remedy } = event instanceof CustomEvent ? readFinding(event.detail) : {}
  if (step === undefined || remedy === undefined || found.size >= SHOWN_FINDINGS) return
  found.add(`${step}: ${remedy}`)
  fill(findings, [['h2', 'What to do'], ...listed([...found])])
  toggle.textContent = `Foyer: ${found.size} to do`
})

/** The event may come from any script of the page. */
function readFinding(detail: unknown): { step?: string; remedy?: string } {
  const { step, data }: { step?: unknown; data?: unknown } = Object(detail)
  const { remedy }: { remedy?: unknown } = Object(data)
  return typeof step === 'string' && typeof remedy === 'string' ? { step, remedy } : {}
}

function heading(text: string): void {
  section.appendChild(document.createElement('h2')).textContent = text
}

function row(): HTMLElement {
  const element = section.appendChild(document.createElement('div'))
  element.className = 'row'
  return element
}

function addSecondPlayer(): void {
  const hostname = otherName()
  if (hostname === undefined) return
  const link = addLink(hostname === 'localhost' ? 'First player' : 'Second player')
  // Where the page is now: an invitation is one for both.
  const point = () => (link.href = Object.assign(new URL(location.href), { hostname }).href)
  for (const event of ['pointerenter', 'focus', 'click']) link.addEventListener(event, point)
  point()
}

/** The other name of this machine: browsers keep the sessions of both apart, so that a second player can sign in there. */
function otherName(): string | undefined {
  if (location.protocol !== 'http:') return undefined
  return { localhost: '127.0.0.1', '127.0.0.1': 'localhost' }[location.hostname]
}

function addLink(label: string): HTMLAnchorElement {
  const link = links.appendChild(document.createElement('a'))
  return Object.assign(link, { textContent: label, target: '_blank', rel: 'noopener' })
}

function add(parent: Node, label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.textContent = label
  parent.appendChild(button)
  return button
}

async function load(action?: string): Promise<void> {
  if (action !== undefined) endpoint.search = `do=${action}`
  const method = action === undefined ? 'GET' : 'POST'
  const response = await fetch(endpoint, { method, headers: { 'x-foyer-panel': '1' } }).catch(() => undefined)
  endpoint.search = ''
  if (response?.ok) show(await response.json())
}

function show({ url, applicationId, activity: host, players, uses, requests }: State): void {
  const lines = [
    ['h2', 'Players with a session'],
    ['p', players.join(', ') || 'nobody'],
    ['h2', 'Last requests'],
    ...listed(
      requests.map(({ method, path, status, player, rule }) =>
        words([status || 'no answer', method, path, player], rule),
      ),
    ),
    ['h2', 'Rate limits in use'],
    ...listed(uses.map(({ name, player, used, limit }) => `${player}: ${name} ${used}/${limit}`)),
    ['h2', 'Emulator'],
    ['p', url],
    ['p', `Application ${applicationId}`],
  ]
  fill(details, lines)
  chat.href = `${url}/chat`
  activity.hidden = host === undefined
  if (host !== undefined) activity.href = host
}

function fill(element: HTMLElement, lines: string[][]): void {
  element.replaceChildren(
    ...lines.map(([tag = 'p', text = '']) =>
      Object.assign(document.createElement(tag), { textContent: text }),
    ),
  )
}

const listed = (texts: string[]): string[][] =>
  texts.length === 0 ? [['p', 'none']] : texts.map((text) => ['p', text])

function words(parts: (string | number | undefined)[], rule: string | undefined): string {
  return parts.filter((part) => part !== undefined).join(' ') + (rule === undefined ? '' : `: ${rule}`)
}

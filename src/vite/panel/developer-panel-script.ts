/** Script of the developer panel: a button in the corner of the page, and the emulator's state. */

const STYLE = `
:host { all: initial; position: fixed; z-index: 2147483647; right: 12px; bottom: 12px; font: 13px/1.5 system-ui, sans-serif; color: #f4f4f8 }
button { font: inherit; color: inherit; background: #3b3b52; border: 0; border-radius: 6px; padding: 4px 10px; cursor: pointer }
button:hover { background: #55557a } button:focus-visible { outline: 2px solid #a9a4ff }
#toggle { float: right; background: #5b4ddb; font-weight: 600 }
section { background: #1d1d2bf2; border-radius: 10px; padding: 12px 14px; margin-bottom: 8px; width: 320px; box-shadow: 0 8px 30px #0006 }
h2 { font-size: 12px; margin: 10px 0 4px; color: #a9a4ff } h2:first-child { margin-top: 0 } p { margin: 2px 0 } a { color: inherit }
.row { display: flex; gap: 6px; flex-wrap: wrap } [hidden] { display: none }`

const ACTIONS = {
  unavailable: 'Next call: 503',
  slow: 'Next call: 3 s late',
  offline: 'Next call: no network',
  expire: 'Expire tokens',
  revoke: 'Revoke tokens',
}

interface State {
  url: string
  applicationId: string
  uses: { name: string; player: string; used: number; limit: number }[]
  refusals: { method: string; path: string; status: number; rule?: string }[]
}

const endpoint = new URL('state', import.meta.url)
const root = document.body.appendChild(document.createElement('foyer-panel')).attachShadow({ mode: 'open' })
const sheet = new CSSStyleSheet()
sheet.replaceSync(STYLE)
root.adoptedStyleSheets = [sheet]

const section = root.appendChild(document.createElement('section'))
section.hidden = true
const details = section.appendChild(document.createElement('div'))
const buttons = section.appendChild(document.createElement('div'))
buttons.className = 'row'
for (const [action, label] of Object.entries(ACTIONS)) add(buttons, label).addEventListener('click', () => void load(action))
const toggle = add(root, 'Foyer')
toggle.id = 'toggle'
let timer: ReturnType<typeof setInterval> | undefined
toggle.addEventListener('click', () => {
  section.hidden = !section.hidden
  clearInterval(timer)
  if (section.hidden) return
  void load()
  timer = setInterval(() => void load(), 1000)
})

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

function show({ url, applicationId, uses, refusals }: State): void {
  const lines = [
    ['h2', 'Emulator'],
    ['a', url],
    ['p', `Application ${applicationId}`],
    ['h2', 'Rate limits in use'],
    ...uses.map(({ name, player, used, limit }) => ['p', `${player}: ${name} ${used}/${limit}`]),
    ...(uses.length === 0 ? [['p', 'none']] : []),
    ['h2', 'Last refusals'],
    ...refusals.map(({ method, path, status, rule }) => ['p', `${status || 'no answer'} ${method} ${path}${rule ? `: ${rule}` : ''}`]),
    ...(refusals.length === 0 ? [['p', 'none']] : []),
    ['h2', 'Faults'],
  ]
  details.replaceChildren(
    ...lines.map(([tag = 'p', text = '']) =>
      Object.assign(document.createElement(tag), tag === 'a' ? { href: text, target: '_blank', textContent: text } : { textContent: text }),
    ),
  )
}

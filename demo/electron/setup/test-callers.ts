/** Calls the main process from pages that may, and that may not: in a hidden window, with the preload script of the game. */
import { BrowserWindow } from 'electron'
import { type Caller, type CallOutcome, SETUP_BRIDGE, SETUP_CHANNEL } from './contract'

/** Path of a page without content that the demo's protocol serves under every host. */
export const EMPTY_PAGE = '/empty.html'

interface CallTest {
  origin: string
  preload: string
}

/** Calls without an effect, for each channel: as an expression in a page whose global object is `page`. */
const CALLS: Readonly<Record<string, string>> = {
  'foyer:call': `page.foyerBridge.call(JSON.stringify({ id: 'setup-check', path: 'rateLimits', args: [] }))`,
  [SETUP_CHANNEL]: `page.${SETUP_BRIDGE}.run('nothing').then(JSON.stringify)`,
}

export async function testCallers({ origin, preload }: CallTest): Promise<CallOutcome[]> {
  const { protocol } = new URL(origin)
  // Electron runs preload scripts in frames only with this setting; the window of the game does not have it.
  const window = new BrowserWindow({
    show: false,
    webPreferences: { preload, nodeIntegrationInSubFrames: true },
  })
  try {
    return [
      ...(await callFrom(window, 'stranger', `${protocol}//stranger${EMPTY_PAGE}`)),
      ...(await callFrom(window, 'frame', `${origin}${EMPTY_PAGE}`)),
      ...(await callFrom(window, 'page', `${origin}${EMPTY_PAGE}`)),
    ]
  } finally {
    window.destroy()
  }
}

async function callFrom(window: BrowserWindow, caller: Caller, url: string): Promise<CallOutcome[]> {
  await window.loadURL(url)
  const outcomes: CallOutcome[] = []
  for (const [channel, call] of Object.entries(CALLS)) {
    const answer: unknown = await window.webContents.executeJavaScript(
      caller === 'frame' ? inFrame(call) : `(page => ${call})(window)`,
    )
    outcomes.push({ caller, channel, outcome: readOutcome(String(answer)) })
  }
  return outcomes
}

/** The same call in a frame with the same origin. */
function inFrame(call: string): string {
  return `new Promise((resolve, reject) => {
    const frame = document.createElement('iframe')
    frame.src = location.href
    frame.onload = () => (page => ${call})(frame.contentWindow).then(resolve, reject)
    document.body.append(frame)
  })`
}

/** Error code in the answer of one of the channels. */
function readOutcome(answer: string): string {
  const [, code] = /(?:\\"code\\":\\"|"fault":")(\w+)/.exec(answer) ?? []
  return code ?? 'answered'
}

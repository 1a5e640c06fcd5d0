/** Puts the panels on the page. */
import { createContext, type Mount } from './context'
import { loadPreset } from './game/preset'
import { mountArguments } from './panels/arguments'
import { mountRequest } from './panels/request'
import { mountService } from './panels/service'
import { mountSession } from './panels/session'
import { mountSignIn } from './panels/sign-in'
import { mountSteps } from './panels/steps'
import { byId } from './ui/dom'
import { themeSwitch } from './ui/theme'
import { listenToKeys } from './keys'

const PANELS: Record<string, Mount> = {
  'sign-in': mountSignIn,
  steps: mountSteps,
  session: mountSession,
  service: mountService,
  arguments: mountArguments,
  request: mountRequest,
}

async function start(): Promise<void> {
  byId('theme').append(themeSwitch())
  const context = createContext(await loadPreset())
  const { signIn, steps } = context
  for (const [id, mount] of Object.entries(PANELS)) mount(byId(id), context)
  listenToKeys(context)
  // A redirect loses what the page remembers; the steps so far go with the tab.
  window.addEventListener('pagehide', () => {
    if (signIn.progress.value.phase === 'waiting') steps.keep()
  })
  byId('page').removeAttribute('aria-busy')
  await signIn.resume()
}

void start()

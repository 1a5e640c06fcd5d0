/** Puts the panels on the page. */
import { createContext, type Mount, openWorkbench } from './context'
import { loadPreset } from './game/preset'
import { mountActivity } from './panels/activity'
import { mountArguments } from './panels/arguments'
import { mountLimits } from './panels/limits'
import { mountLobby } from './panels/lobby'
import { mountSeat } from './panels/lobby-player'
import { mountRequest } from './panels/request'
import { mountService } from './panels/service'
import { mountSession } from './panels/session'
import { mountLife } from './panels/session-log'
import { mountSignIn } from './panels/sign-in'
import { mountSteps } from './panels/steps'
import { byId } from './ui/dom'
import { themeSwitch } from './ui/theme'
import { listenToKeys } from './keys'
import { followAddress } from './screens'

const PANELS: Record<string, Mount> = {
  'sign-in': mountSignIn,
  steps: mountSteps,
  session: mountSession,
  life: mountLife,
  service: mountService,
  arguments: mountArguments,
  request: mountRequest,
  activity: mountActivity,
  meeting: mountLobby,
  'seat-left': mountSeat(0, 'First player'),
  'seat-right': mountSeat(1, 'Second player'),
  limits: mountLimits,
}

async function start(): Promise<void> {
  byId('theme').append(themeSwitch())
  const context = createContext(await loadPreset())
  const { signIn, steps, life } = context
  for (const [id, mount] of Object.entries(PANELS)) mount(byId(id), context)
  followAddress()
  listenToKeys(context)
  // A redirect loses what the page remembers; the steps so far go with the tab.
  window.addEventListener('pagehide', () => {
    if (signIn.progress.value.phase === 'waiting') steps.keep()
  })
  byId('page').removeAttribute('aria-busy')
  await signIn.resume()
  openWorkbench(context)
  await life.restore()
}

void start()

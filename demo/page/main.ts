/** Mounts the panels of the page. */
import { createContext, type Mount, connectWorkbench } from './context'
import { loadPreset } from './game/preset'
import { mountActivity } from './panels/activity'
import { mountArguments } from './panels/arguments'
import { mountLimits } from './panels/limits'
import { mountLobbySecret } from './panels/lobby-secret'
import { mountPlayer } from './panels/lobby-player'
import { mountAuthorizePreview } from './panels/authorize-preview'
import { mountService } from './panels/service'
import { mountSession } from './panels/session'
import { mountSessionLog } from './panels/session-log'
import { mountSignIn } from './panels/sign-in'
import { mountSteps } from './panels/steps'
import { byId } from './ui/dom'
import { themeSwitch } from './ui/theme'
import { listenToKeys } from './keyboard-shortcuts'
import { followAddress } from './screens'

const PANELS: Record<string, Mount> = {
  'sign-in': mountSignIn,
  steps: mountSteps,
  session: mountSession,
  life: mountSessionLog,
  service: mountService,
  arguments: mountArguments,
  request: mountAuthorizePreview,
  activity: mountActivity,
  meeting: mountLobbySecret,
  'slot-left': mountPlayer(0, 'First player'),
  'slot-right': mountPlayer(1, 'Second player'),
  limits: mountLimits,
}

async function start(): Promise<void> {
  byId('theme').append(themeSwitch())
  const context = createContext(await loadPreset())
  const { signIn, steps, sessionLog } = context
  for (const [id, mount] of Object.entries(PANELS)) mount(byId(id), context)
  followAddress()
  listenToKeys(context)
  // A redirect discards the page's memory; the steps so far are saved in the tab's storage.
  window.addEventListener('pagehide', () => {
    if (signIn.progress.value.phase === 'waiting') steps.saveForRedirect()
  })
  byId('page').removeAttribute('aria-busy')
  await signIn.resume()
  connectWorkbench(context)
  await sessionLog.restore()
}

void start()

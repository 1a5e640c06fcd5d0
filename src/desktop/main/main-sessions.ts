/** Sessions of a main process: a single process, with sleep and network state. Loaded with the first session. */
import { app, net, powerMonitor } from 'electron'
import type { ClientContext } from '../../client/context/client-context'
import type { Sessions } from '../../client/context/sessions'
import { createSessions } from '../../client/create-sessions'
import { singleClientEnvironment, type SessionEnvironment } from '../../client/session/session-environment'
import { persistIn } from '../../client/session/session-persistence'

export function createMainSessions(context: ClientContext): Sessions {
  return createSessions(context, mainSessionEnvironment(), persistIn(context.tokenStore))
}

/** The app's single-instance lock replaces locks across tabs. */
function mainSessionEnvironment(): SessionEnvironment {
  return {
    ...singleClientEnvironment(),
    watch({ awake }) {
      let watching = true
      // `powerMonitor` is available only after `ready`.
      void app.whenReady().then(() => watching && powerMonitor.on('resume', awake))
      return () => {
        watching = false
        if (app.isReady()) powerMonitor.off('resume', awake)
      }
    },
    online: () => !app.isReady() || net.isOnline(),
  }
}

/** Sessions of a main process: a single process, with sleep and network state. Loaded with the first session. */
import { app, net, powerMonitor } from 'electron'
import type { ClientBase } from '../../client/context/client-base'
import { persistIn } from '../../client/session/stored-session'
import { Sessions } from '../../client/sign-in/sessions'
import { singleClientEnvironment, type SessionEnvironment } from '../../client/session/current-session'

export function openMainSessions(client: ClientBase): Sessions {
  return new Sessions(client, mainSessionEnvironment(), persistIn(client.options.tokenStore))
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

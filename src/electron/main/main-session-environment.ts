/** Session environment of a main process: a single process, with sleep and network state. */
import { app, net, powerMonitor } from 'electron'
import { singleClientEnvironment, type SessionEnvironment } from '../../tokens/session/session-environment'

/** The app's single-instance lock replaces locks across tabs. */
export function mainSessionEnvironment(): SessionEnvironment {
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

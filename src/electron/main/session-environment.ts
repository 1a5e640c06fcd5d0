/** What a session meets in a main process: one process, a machine that sleeps, and a network that comes and goes. */
import { app, net, powerMonitor } from 'electron'
import { singleClientEnvironment, type SessionEnvironment } from '../../tokens/session/environment'

/** The single-instance lock of the app is what tabs need locks for. */
export function mainSessionEnvironment(): SessionEnvironment {
  return {
    ...singleClientEnvironment(),
    watch({ awake }) {
      let watching = true
      // Electron has no power monitor before that.
      void app.whenReady().then(() => watching && powerMonitor.on('resume', awake))
      return () => {
        watching = false
        if (app.isReady()) powerMonitor.off('resume', awake)
      }
    },
    online: () => !app.isReady() || net.isOnline(),
  }
}

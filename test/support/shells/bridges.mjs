/** What stands for the system under a web view: the official mocks of Tauri, and a bridge as Capacitor's packages call it on Android. */
import { emit } from '@tauri-apps/api/event'
import { mockIPC } from '@tauri-apps/api/mocks'

/** `system`: `{ open(url), launchLinks() }`, which the test gives. Returns a function that delivers links to the app that runs. */
export function installTauri(system) {
  mockIPC(
    async (command, { url } = {}) => {
      if (command === 'plugin:opener|open_url') return system.open(url)
      if (command === 'plugin:deep-link|get_current') return system.launchLinks()
      throw new Error(`no ${command}`)
    },
    { shouldMockEvents: true },
  )
  return (links) => emit('deep-link://new-url', links)
}

const METHODS = {
  App: [
    ['getLaunchUrl', 'promise'],
    ['addListener', 'callback'],
    ['removeListener', 'callback'],
  ],
  Browser: [
    ['open', 'promise'],
    ['close', 'promise'],
  ],
}

/** Runs before Capacitor's packages, as the native part of an app does. */
export function installCapacitor(system) {
  const listeners = []
  const calls = {
    'App.getLaunchUrl': async () => ({ url: (await system.launchLinks())?.[0] }),
    'Browser.open': ({ url }) => system.open(url),
    // Android's plugin has no such method.
    'Browser.close': () => Promise.reject(new Error('UNIMPLEMENTED')),
  }
  Object.assign(window, {
    androidBridge: {},
    Capacitor: {
      PluginHeaders: Object.entries(METHODS).map(([name, methods]) => ({
        name,
        methods: methods.map(([method, rtype]) => ({ name: method, rtype })),
      })),
      nativePromise: (plugin, method, options) => calls[`${plugin}.${method}`](options),
      nativeCallback: async (_plugin, method, { eventName }, callback) => {
        if (method === 'addListener' && eventName === 'appUrlOpen') listeners.push(callback)
        return String(listeners.length)
      },
    },
  })
  return async (links) => {
    for (const url of links) for (const listener of listeners) listener({ url })
  }
}

/** Both halves of the fake context bridge. The two worlds of a document exchange only strings, as events with an unguessable name. */

/** Runs in the main world of the page: builds the object that the preload script exposes. */
function inPage(token) {
  const target = document
  const send = (kind, detail) =>
    target.dispatchEvent(new CustomEvent(token + kind, { detail: JSON.stringify(detail) }))
  const listen = (kind, listener) =>
    target.addEventListener(token + kind, ({ detail }) => listener(JSON.parse(detail)))
  const callbacks = []
  const settlers = new Map()
  let calls = 0
  let reply
  listen('reply', (message) => (reply = message))
  listen('settle', ({ id, value, error }) => settlers.get(id)?.(value, error))
  listen('callback', ({ callback, args }) => callbacks[callback](...args))
  listen('expose', ({ name, keys }) => {
    const exposed = {}
    for (const key of keys) {
      exposed[key] = (...args) => {
        const id = ++calls
        send('call', {
          id,
          name,
          key,
          args: args.map((value) =>
            typeof value === 'function' ? { callback: callbacks.push(value) - 1 } : { value },
          ),
        })
        const { kind, value, error } = reply
        if (kind === 'error') throw new Error(error)
        if (kind === 'undo') return () => send('undo', { undo: value })
        if (kind !== 'promise') return value
        return new Promise((resolve, reject) => {
          settlers.set(id, (result, problem) =>
            problem === undefined ? resolve(result) : reject(new Error(problem)),
          )
        })
      }
    }
    Object.defineProperty(window, name, { value: Object.freeze(exposed) })
  })
}

/** Runs in the preload script's world: provides `require('electron')` and `process`, and nothing else. */
function inIsolation(token, { contextIsolation, inSubFrames, run }) {
  if (window !== window.top && !inSubFrames) return
  const target = document
  const send = (kind, detail) =>
    target.dispatchEvent(new CustomEvent(token + kind, { detail: JSON.stringify(detail) }))
  const listen = (kind, listener) =>
    target.addEventListener(token + kind, ({ detail }) => listener(JSON.parse(detail)))
  const apis = {}
  const undos = []
  const listeners = new Map()
  const waiting = new Map()
  let calls = 0
  const ipcRenderer = {
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        const id = ++calls
        waiting.set(id, { resolve, reject })
        globalThis.electronSend(JSON.stringify({ id, channel, args }))
      }),
    send: (channel, ...args) => globalThis.electronSend(JSON.stringify({ channel, args })),
    on(channel, listener) {
      if (!listeners.has(channel)) listeners.set(channel, new Set())
      listeners.get(channel).add(listener)
    },
    off: (channel, listener) => listeners.get(channel)?.delete(listener),
  }
  globalThis.electronStandIn = {
    receive(text) {
      const { id, channel, args, value, error } = JSON.parse(text)
      if (channel !== undefined) for (const listener of listeners.get(channel) ?? []) listener({}, ...args)
      const call = waiting.get(id)
      waiting.delete(id)
      if (call && error !== undefined) call.reject(new Error(error))
      else call?.resolve(value)
    },
  }
  const answer = ({ id, name, key, args }) => {
    const values = args.map(({ callback, value }) =>
      callback === undefined ? value : (...given) => send('callback', { callback, args: given }),
    )
    const result = apis[name][key](...values)
    if (typeof result === 'function') send('reply', { kind: 'undo', value: undos.push(result) - 1 })
    else if (typeof result?.then === 'function') {
      send('reply', { kind: 'promise' })
      result.then(
        (value) => send('settle', { id, value }),
        (error) => send('settle', { id, error: error.message }),
      )
    } else send('reply', { kind: 'value', value: result })
  }
  listen('call', (message) => {
    try {
      answer(message)
    } catch (error) {
      send('reply', { kind: 'error', error: error.message })
    }
  })
  listen('undo', ({ undo }) => undos[undo]())
  const contextBridge = {
    exposeInMainWorld(name, api) {
      if (!contextIsolation)
        throw new Error('contextBridge API can only be used when contextIsolation is enabled')
      apis[name] = api
      send('expose', { name, keys: Object.keys(api) })
    },
  }
  const require = (name) => {
    if (name !== 'electron') throw new Error(`module not found: ${name}`)
    return { contextBridge, ipcRenderer }
  }
  const module = { exports: {} }
  run({
    require,
    module,
    exports: module.exports,
    process: { contextIsolated: contextIsolation, sandboxed: true },
  })
}

export const pageHalf = (token) => `(${String(inPage)})(${JSON.stringify(token)})`

export const isolatedHalf = (token, preload, options) =>
  `(${String(inIsolation)})(${JSON.stringify(token)}, { ...${JSON.stringify(options)}, run: ({ require, module, exports, process }) => {${preload}\n} })`

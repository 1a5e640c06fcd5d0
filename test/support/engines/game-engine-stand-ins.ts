/** Stand-ins of the script interfaces of game engines that npm does not carry, each as the engine's manual describes it. Run in the page. */

/**
 * Emscripten's library functions, as a Unity WebGL build links them: `$name` becomes a variable, `name__deps` is dropped, and texts are
 * UTF-8 in the heap. `unity.call` is the marshalling of C#: it frees returned strings.
 */
export const UNITY = `
const heap = new Uint8Array(1 << 20)
let end = 8
const blocks = new Map()
window._malloc = (size) => { const at = end; end += size; blocks.set(at, size); return at }
const free = (at) => { if (!blocks.delete(at)) throw new Error('freed twice'); if (blocks.size === 0) end = 8 }
window.UTF8ToString = (at) => new TextDecoder().decode(heap.subarray(at, heap.indexOf(0, at)))
window.lengthBytesUTF8 = (text) => new TextEncoder().encode(text).length
window.stringToUTF8 = (text, at, size) => {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length + 1 > size || size > blocks.get(at)) throw new Error('heap overflow')
  heap.set(bytes, at)
  heap[at + bytes.length] = 0
}
window.LibraryManager = { library: {} }
window.mergeInto = (library, added) => {
  for (const [name, member] of Object.entries(added)) {
    if (name.startsWith('$')) window[name.slice(1)] = member
    else if (!name.endsWith('__deps')) library[name] = member
  }
}
window.unity = {
  call(name, ...args) {
    const given = args.map((arg) => {
      if (typeof arg !== 'string') return arg
      const at = _malloc(lengthBytesUTF8(arg) + 1)
      stringToUTF8(arg, at, lengthBytesUTF8(arg) + 1)
      return at
    })
    const result = LibraryManager.library[name](...given)
    given.forEach((at, i) => typeof args[i] === 'string' && free(at))
    return result
  },
  text(name) {
    const at = unity.call(name)
    const text = UTF8ToString(at)
    free(at)
    return text
  },
  leaks: () => blocks.size,
}`

/** Construct 3: scripts of the runtime, which calls event-sheet functions by name and throws for one that does not exist. */
export const CONSTRUCT = `
window.sheet = []
const functions = new Set(['On Foyer result', 'On Foyer event'])
const runtime = {
  assets: {
    loadScripts: (...names) => Promise.all(names.map((name) => new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.async = false
      Object.assign(script, { src: '/dist/umd/' + name, onload: resolve, onerror: reject })
      document.head.append(script)
    }))),
  },
  callFunction(name, ...values) {
    if (!functions.has(name)) throw new Error('No function ' + name)
    if (values.some((value) => !['string', 'number'].includes(typeof value))) throw new TypeError('Parameters are texts and numbers.')
    sheet.push([name, ...values])
  },
}
window.runOnStartup = (start) => { window.started = start(runtime) }`

/** RPG Maker MZ 1.x: parameters and commands of plugins, the interpreter of events with its wait modes, switches and variables. */
export const RPG_MAKER = `
const commands = {}
window.PluginManager = {
  parameters: () => plugin,
  registerCommand: (name, command, run) => { commands[name + ':' + command] = run },
}
window.Game_Interpreter = class {
  _waitMode = ''
  setWaitMode(mode) { this._waitMode = mode }
  updateWaitMode() { this._waitMode = ''; return false }
  // Runs a list of commands, one in each frame at most, and waits while a command does.
  run(list) {
    const left = [...list]
    return new Promise((resolve) => {
      const frame = () => {
        if (!this.updateWaitMode()) {
          const next = left.shift()
          if (!next) return resolve(null)
          commands[next[0]].call(this, next[1])
        }
        requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
  }
}
const values = () => { const kept = []; return { setValue: (id, value) => { kept[id] = value }, value: (id) => kept[id] } }
window.$gameSwitches = values()
window.$gameVariables = values()`

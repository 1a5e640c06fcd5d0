/** Lets libraries recognize bytes of Node in a test environment (jsdom) that replaces the class of byte arrays. */

/** `Buffer` is of the machine, whatever the environment replaces. */
const MachineBytes: unknown = Object.getPrototypeOf(Buffer)

/** The replaced class takes the machine's bytes for its own then, as every caller expects. Does nothing where nothing is replaced. */
export function acceptMachineBytes(): void {
  const { Uint8Array: own } = globalThis
  if (own === MachineBytes) return
  Object.defineProperty(own, Symbol.hasInstance, { value: isBytes, configurable: true })
}

const isBytes = (value: unknown): boolean => Object.prototype.toString.call(value) === '[object Uint8Array]'

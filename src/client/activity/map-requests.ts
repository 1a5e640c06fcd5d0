/** Sends the requests of libraries through the proxy of the Activity: the page's own functions get mapped addresses, until they are put back. */
import { isObject } from '../../shared/foundation/options'
import { mapUrl, type UrlMapping } from './map-url'

/** Returns the address to use, which is the given one if no mapping covers it. */
type MapAddress = (url: string) => string

/** A class of the page whose first argument is an address. */
type ConnectionClass = new (url: string | URL, ...rest: never[]) => object

/** Maps addresses of one page, and its requests. */
export class RequestMapper {
  readonly #address: () => string
  readonly #active = new Set<MapAddress>()
  #restore: (() => void) | undefined

  /** @param address of the page. */
  constructor(address: () => string) {
    this.#address = address
  }

  /** Replaces functions of the page with the first call, and puts them back with the last undo. */
  map(mappings: readonly UrlMapping[]): () => void {
    const map = this.#mapOf(mappings)
    this.#active.add(map)
    this.#restore ??= replaceAll((url) => this.#mapActive(url))
    return () => {
      if (!this.#active.delete(map) || this.#active.size > 0) return
      this.#restore?.()
      this.#restore = undefined
    }
  }

  fetch(mappings: readonly UrlMapping[]): typeof fetch {
    return mappedFetch(this.#mapOf(mappings), (...request) => fetch(...request))
  }

  webSocket(mappings: readonly UrlMapping[]): typeof WebSocket {
    return mappedClass(this.#mapOf(mappings), WebSocket)
  }

  #mapActive(url: string): string {
    for (const map of this.#active) {
      const mapped = map(url)
      if (mapped !== url) return mapped
    }
    return url
  }

  /** A list that is changed later has no effect. */
  #mapOf(mappings: readonly UrlMapping[]): MapAddress {
    const own = mappings.map(({ prefix, target }) => ({ prefix, target }))
    return (url) => {
      try {
        const base = this.#address()
        const mapped = mapUrl(url, own, base)
        return mapped === null || mapped === url ? url : new URL(mapped, base).href
      } catch {
        // The browser refuses what is no address, in its own way.
        return url
      }
    }
  }
}

function mappedFetch(map: MapAddress, original: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!(input instanceof Request)) return original(map(String(input)), init)
    const request = new Request(input, init)
    const address = map(request.url)
    return original(address === request.url ? request : await readdress(request, address))
  }
}

/** A request keeps its address, so there is another one with the same fields. A body as a stream would need HTTP/2. */
async function readdress(request: Request, address: string): Promise<Request> {
  const { method, headers, mode, credentials, cache, redirect, referrer, referrerPolicy } = request
  const { integrity, keepalive, signal } = request
  const body = request.body === null ? null : await request.arrayBuffer()
  const kept = { method, headers, mode, credentials, cache, redirect, referrer, referrerPolicy }
  return new Request(address, { ...kept, integrity, keepalive, signal, body })
}

/** Instances connect to mapped addresses. They are instances of the original too, and constants are those of the original. */
function mappedClass<Class extends ConnectionClass>(map: MapAddress, original: Class): Class {
  const mapped: Class = new Proxy(original, {
    construct(target, [url, ...rest]: unknown[], made) {
      const created: unknown = Reflect.construct(
        target,
        [map(String(url)), ...rest],
        made === mapped ? target : made,
      )
      if (isObject(created)) return created
      throw new TypeError('a constructor without an object')
    },
  })
  return mapped
}

/** Returns a function that puts the original functions back. */
function replaceAll(map: MapAddress): () => void {
  const page = globalThis
  const undo = [
    replace(page, 'fetch', (original) => mappedFetch(map, original)),
    replace(page, 'WebSocket', (original) => mappedClass(map, original)),
    replace(page, 'EventSource', (original) => mappedClass(map, original)),
    replace(XMLHttpRequest.prototype, 'open', (original) => mappedOpen(map, original)),
  ]
  return () => undo.forEach((restore) => restore())
}

type Open = XMLHttpRequest['open']

function mappedOpen(map: MapAddress, original: Open): Open {
  return function open(this: XMLHttpRequest, method: string, url: string | URL, ...rest: unknown[]): void {
    Reflect.apply(original, this, [method, map(String(url)), ...rest])
  }
}

function replace<Owner extends object, Name extends keyof Owner>(
  owner: Owner,
  name: Name,
  change: (original: Owner[Name]) => Owner[Name],
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name)
  const value = change(owner[name])
  Object.defineProperty(owner, name, { configurable: true, enumerable: true, writable: true, value })
  return () => {
    // A wrapper of another library stays, and passes addresses on unchanged.
    if (owner[name] === value && before) Object.defineProperty(owner, name, before)
  }
}

/** Decides whether a request of the log has every word of a filter, such as `player:ada status:4xx path:/lobbies token`. */
import type { LoggedRequest } from '../../api/request/request-log.js'

type Field = (request: LoggedRequest, value: string) => boolean

const FIELDS: Readonly<Partial<Record<string, Field>>> = {
  player: ({ player = '' }, value) => player.toLowerCase() === value,
  status: ({ status }, value) =>
    Array.from(value).every((digit, at) => digit === 'x' || digit === String(status)[at]),
  path: ({ path }, value) => path.toLowerCase().includes(value),
  method: ({ method }, value) => method.toLowerCase() === value,
}

/** Words without a field are part of the method, path, status, player, rule or fault. Upper and lower case are the same. */
export function matchRequest(request: LoggedRequest, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return words.every((word) => hasWord(request, word))
}

function hasWord(request: LoggedRequest, word: string): boolean {
  const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field) return field(request, value)
  const { method, path, status, player = '', rule = '', fault = '' } = request
  return `${method} ${path} ${status} ${player} ${rule} ${fault}`.toLowerCase().includes(word)
}

export interface Filter {
  /** Words that a request must all have; see `matchRequest`. */
  text: string
  onlyRefused: boolean
  /** Shows the files and calls of the emulator's own pages too. */
  ownPages: boolean
}

export function readFilter(): Filter {
  const query = new URLSearchParams(location.search)
  return { text: query.get('filter') ?? '', onlyRefused: query.has('refused'), ownPages: query.has('own') }
}

export function saveFilter({ text, onlyRefused, ownPages }: Filter): void {
  const query = new URLSearchParams(location.search)
  const values = {
    filter: text === '' ? undefined : text,
    refused: onlyRefused ? '' : undefined,
    own: ownPages ? '' : undefined,
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  history.replaceState(null, '', location.pathname + (query.size === 0 ? '' : `?${query.toString()}`))
}

/** Decides whether a request of the log has every word of a filter, such as `player:ada status:4xx path:/lobbies "player:Ada Quinn"`. */
import type { LoggedRequest } from '../../api/request/request-log.js'
import type { RequestSender } from '../../exchanges/request-senders.js'

type Field = (request: LoggedRequest, value: string) => boolean

const FIELDS: Readonly<Partial<Record<string, Field>>> = {
  player: ({ sender }, value) => sender?.kind === 'player' && namesOf(sender).includes(value),
  from: ({ sender }, value) => sender !== undefined && [sender.kind, ...namesOf(sender)].includes(value),
  status: ({ status }, value) =>
    Array.from(value).every((digit, at) => digit === 'x' || digit === String(status)[at]),
  path: ({ path }, value) => path.toLowerCase().includes(value),
  method: ({ method }, value) => method.toLowerCase() === value,
}

/** User name, shown name and id. */
function namesOf({ id, name, username = '' }: RequestSender): string[] {
  return [id, name.toLowerCase(), username.toLowerCase()]
}

/** Stands for a space between quotation marks. No text field accepts it. */
const INNER_SPACE = '\0'

/**
 * Words without a field are part of the method, path, status, sender, rule or fault. Upper and lower case are the same. A name of several
 * words is in quotation marks, or the last part of the text: `player:Ada Quinn`.
 */
export function matchRequest(request: LoggedRequest, text: string): boolean {
  const lower = text.trim().toLowerCase()
  return matchWords(request, lower) || NAMED.some((name) => matchLastName(request, { name, text: lower }))
}

/** Fields whose value may be a name of several words. */
const NAMED = ['player', 'from']

function matchLastName(request: LoggedRequest, { name, text }: { name: string; text: string }): boolean {
  const at = text.lastIndexOf(`${name}:`)
  return (
    at >= 0 &&
    hasWord(request, text.slice(at).replaceAll(/\s+/g, ' ')) &&
    matchWords(request, text.slice(0, at))
  )
}

function matchWords(request: LoggedRequest, text: string): boolean {
  return text
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part : part.replaceAll(' ', INNER_SPACE)))
    .join('')
    .split(/\s+/)
    .every((word) => word === '' || hasWord(request, word.replaceAll(INNER_SPACE, ' ')))
}

function hasWord(request: LoggedRequest, word: string): boolean {
  const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field) return field(request, value)
  const { method, path, status, sender, rule = '', fault = '' } = request
  const from = sender === undefined ? '' : [sender.kind, ...namesOf(sender)].join(' ')
  return `${method} ${path} ${status} ${from} ${rule} ${fault}`.toLowerCase().includes(word)
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

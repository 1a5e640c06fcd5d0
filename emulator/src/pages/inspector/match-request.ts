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

type Match = (request: LoggedRequest) => boolean

/**
 * Words without a field are part of the method, path, status, sender, rule or fault. Upper and lower case are the same. A name of several
 * words is in quotation marks, or the last part of the text: `player:Ada Quinn`. The text is read once, for any number of requests.
 */
export function createMatch(text: string): Match {
  const lower = text.trim().toLowerCase()
  const readings = [matchWords(lower), ...NAMED.flatMap((name) => matchLastName(name, lower))]
  return (request) => readings.some((match) => match(request))
}

/** Fields whose value may be a name of several words. */
const NAMED = ['player', 'from']

function matchLastName(name: string, text: string): Match[] {
  const at = text.lastIndexOf(`${name}:`)
  if (at < 0) return []
  const matches = [matchWord(text.slice(at).replaceAll(/\s+/g, ' ')), matchWords(text.slice(0, at))]
  return [(request) => matches.every((match) => match(request))]
}

function matchWords(text: string): Match {
  const words = text
    .split('"')
    .map((part, index) => (index % 2 === 0 ? part : part.replaceAll(' ', INNER_SPACE)))
    .join('')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => matchWord(word.replaceAll(INNER_SPACE, ' ')))
  return (request) => words.every((match) => match(request))
}

function matchWord(word: string): Match {
  const [, name = '', value = ''] = /^([a-z]+):(.+)$/.exec(word) ?? []
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
  if (field) return (request) => field(request, value)
  return ({ method, path, status, sender, rule = '', fault = '' }) => {
    const from = sender === undefined ? '' : [sender.kind, ...namesOf(sender)].join(' ')
    return `${method} ${path} ${status} ${from} ${rule} ${fault}`.toLowerCase().includes(word)
  }
}

export interface Filter {
  /** Words that a request must all have; see `createMatch`. */
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

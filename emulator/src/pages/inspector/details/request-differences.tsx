/** Differences of a request to the one that was kept for a comparison. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import { Breakable } from '../../kit/breakable.js'
import type { ListedRequest } from '../control/inspector-data.js'
import { senderWords } from '../control/sender-words.js'
import { partsOf } from './read-message.js'

interface DifferencesProps {
  request: ListedRequest
  details: RequestDetails
  /** The kept one, and its details once they are read. */
  kept: ListedRequest | undefined
  keptDetails: RequestDetails | undefined
  keep: () => void
}

export function RequestDifferences({ request, details, kept, keptDetails, keep }: DifferencesProps) {
  if (kept === undefined || kept.serial === request.serial)
    return (
      <>
        <p class="empty">
          {kept === undefined
            ? 'Keep this request, then choose another one: what differs is shown here.'
            : 'This request is kept. Choose another one in the list.'}
        </p>
        {kept === undefined && (
          <div class="buttons">
            <button type="button" onClick={keep}>
              Keep this request
            </button>
          </div>
        )}
      </>
    )
  if (keptDetails === undefined) return <p class="empty">Loading…</p>
  const rows = differences(valuesOf(kept, keptDetails), valuesOf(request, details))
  return (
    <>
      {rows.length === 0 ? (
        <p class="empty">Both requests are equal.</p>
      ) : (
        <table class="fields differences">
          <caption class="visually-hidden">Differences of the kept request and this one</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{`Kept, ${timeOf(kept)}`}</th>
              <th scope="col">{`This, ${timeOf(request)}`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">
                  <Breakable text={name} />
                </th>
                <td>{before === undefined ? '—' : <code>{before}</code>}</td>
                <td>{after === undefined ? '—' : <code>{after}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="buttons">
        <button type="button" onClick={keep}>
          Keep this one instead
        </button>
      </div>
    </>
  )
}

const timeOf = ({ at }: ListedRequest) => new Date(at).toLocaleTimeString('en-GB')

interface Difference {
  name: string
  /** Undefined if it is missing. */
  before: string | undefined
  after: string | undefined
}

type Values = ReadonlyMap<string, string>

function differences(before: Values, after: Values): Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, before: before.get(name), after: after.get(name) }))
    .filter((row) => row.before !== row.after)
}

/** Headers that differ between any two messages. */
const PASSING = new Set(['date', 'etag', 'content-length', 'x-ratelimit-reset'])

/** Values by "Request body: code". Those of a name that occurs twice are one text. */
function valuesOf({ status, sender, rule }: ListedRequest, details: RequestDetails): Values {
  const values = new Map<string, string>([['Status', String(status)]])
  if (sender) values.set('Sent by', senderWords(sender))
  if (rule !== undefined) values.set('Refused by the rule', rule)
  for (const [index, { line, groups }] of partsOf(details).entries()) {
    if (line !== undefined) values.set('Request', line)
    for (const { caption, fields } of groups)
      for (const { name, value } of fields) {
        if (caption === 'Headers' && PASSING.has(name.toLowerCase())) continue
        const key = `${index === 0 ? 'Request' : 'Response'} ${caption.toLowerCase()}: ${name || 'text'}`
        const known = values.get(key)
        values.set(key, known === undefined ? value : `${known}, ${value}`)
      }
  }
  return values
}

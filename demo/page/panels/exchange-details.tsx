/** Details of one exchange: its parts, the checks of the SDK, and exports. */
import { toCurl, toSdkCode, toTest } from '../exchange/export-exchanges'
import { type Exchange, type Field, outcome } from '../exchange/exchange'
import { CopyButton } from 'kit/copy-button'
import { MaskedValue } from 'kit/masked-value'
import { CheckList } from './check-list'

const KINDS = { authorize: 'Authorize request', callback: 'Callback', request: 'Request' }

export function ExchangeDetails({ exchange }: { exchange: Exchange }) {
  const { kind, url, query, headers, body, response, checks } = exchange
  return (
    <div class="exchange-details">
      <h3>{KINDS[kind]}</h3>
      <p>
        <code>{url}</code>
      </p>
      <FieldTable caption="Parameters" fields={query} />
      <FieldTable caption="Headers" fields={headers} />
      <FieldTable caption="Body" fields={body} />
      {response && (
        <>
          <h3>Response {outcome(exchange)}</h3>
          <FieldTable caption="Headers that the browser shows to the page" fields={response.headers} />
          <FieldTable caption="Body" fields={response.body} />
        </>
      )}
      {checks.length > 0 && (
        <>
          <h3>Checks of the SDK</h3>
          <CheckList checks={checks} />
        </>
      )}
      <div class="buttons">
        {kind !== 'callback' && <CopyButton what="the request as cURL" label="cURL" text={() => toCurl(exchange)} />}
        <CopyButton what="the call of the SDK" label="SDK code" text={() => toSdkCode(exchange)} />
        {kind === 'request' && <CopyButton what="the request as a test" label="Test" text={() => toTest(exchange)} />}
      </div>
    </div>
  )
}

function FieldTable({ caption, fields }: { caption: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <tbody>
        {fields.map((field, index) => (
          // A parameter may occur twice.
          <tr key={`${index} ${field.name}`}>
            <th scope="row">{field.name || 'text'}</th>
            <td>
              <FieldValue field={field} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FieldValue({ field: { name, value, isSecret, isLeftOut } }: { field: Field }) {
  if (isLeftOut)
    return <span class="hint">{isSecret ? 'a secret, not kept when the page was left' : 'not kept when the page was left'}</span>
  return isSecret ? <MaskedValue name={name} secret={value} /> : <code>{value}</code>
}

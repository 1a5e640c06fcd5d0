/** Named values of a message, each with a button that copies it. Secrets are masked until they are revealed. */
import type { Field } from '../exchange/exchange'
import { CopyButton } from 'kit/copy-button'
import { MaskedValue } from 'kit/masked-value'

/** Characters of an ID token that its field shows. */
const TOKEN_START = 40

interface TableProps {
  caption: string
  fields: readonly Field[]
  /** Shows all secrets. */
  isRevealed: boolean
}

export function FieldTable({ caption, fields, isRevealed }: TableProps) {
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
              <FieldValue field={field} isRevealed={isRevealed} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The whole ID token is beside its claims. */
function Value({ name, value }: { name: string; value: string }) {
  const isToken = name === 'id_token' && value.length > TOKEN_START
  return <code>{isToken ? `${value.slice(0, TOKEN_START)}… (${value.length} characters)` : value}</code>
}

function FieldValue({ field: { name, value, isSecret, isLeftOut }, isRevealed }: { field: Field; isRevealed: boolean }) {
  if (isLeftOut)
    return <span class="hint">{isSecret ? 'a secret, not kept when the page was left' : 'not kept when the page was left'}</span>
  const copy = <CopyButton what={name || 'the text'} label="" text={() => value} />
  return (
    <span class="field-value">
      {isSecret && !isRevealed ? <MaskedValue name={name} secret={value} /> : <Value name={name} value={value} />}
      {copy}
    </span>
  )
}

/** Table of the named values of a message, each with a button that copies it. Secrets are masked until they are revealed. */
import { Breakable } from './breakable.js'
import { CopiedText } from './copied-text.js'
import { CopyButton } from './copy-button.js'
import { indentedJson } from './indented-json.js'
import { MaskedValue } from './masked-value.js'

/** One named value of a URL, a body or a header. A text without fields has no name. */
export interface ShownField {
  name: string
  value: string
  /** Shown only on request. */
  isSecret?: boolean
  /** The value is not known: it was left out, or is masked. `value` then says so, or is empty. */
  isLeftOut?: boolean
}

interface FieldTableProps {
  caption: string
  fields: readonly ShownField[]
  /** Shows all secrets. */
  isRevealed: boolean
}

export function FieldTable({ caption, fields, isRevealed }: FieldTableProps) {
  const [only] = fields
  if (only === undefined) return null
  if (only.name === '' && only.isLeftOut !== true)
    return (
      <CopiedText
        head={<strong class="copied-caption">{caption}</strong>}
        what={`the ${caption.toLowerCase()}`}
        copied={only.value}
      >
        <code>{indentedJson(only.value)}</code>
      </CopiedText>
    )
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <tbody>
        {fields.map((field, index) => (
          // A name may occur twice.
          <tr key={`${index} ${field.name}`}>
            <th scope="row">
              <Breakable text={field.name || 'text'} />
            </th>
            <td>
              <FieldValue field={field} isRevealed={isRevealed} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FieldValue({
  field: { name, value, isSecret = false, isLeftOut = false },
  isRevealed,
}: {
  field: ShownField
  isRevealed: boolean
}) {
  if (isLeftOut)
    return (
      <span class="field-note">{value === '' ? (isSecret ? 'a secret, not kept' : 'not kept') : value}</span>
    )
  return (
    <span class="field-value">
      {isSecret && !isRevealed ? (
        <MaskedValue name={name} secret={value} />
      ) : (
        <ShownValue name={name} value={value} />
      )}
      <CopyButton what={name || 'the text'} label="" text={() => value} />
    </span>
  )
}

/** Characters of an ID token that its field shows: the whole token is beside its claims. */
const TOKEN_START = 40
const RANDOM = /^[\w-]{30,}$/

function ShownValue({ name, value }: { name: string; value: string }) {
  if (name === 'id_token' && value.length > TOKEN_START)
    return <code>{`${value.slice(0, TOKEN_START)}… (${value.length} characters)`}</code>
  // A random value has no words: it fills its lines, also where it has a hyphen.
  if (RANDOM.test(value)) return <code class="random">{value}</code>
  const indented = indentedJson(value)
  if (indented !== value) return <code class="json">{indented}</code>
  return (
    <code>
      <Breakable text={value} />
    </code>
  )
}

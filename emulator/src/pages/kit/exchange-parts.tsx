/** Request, response and decoded token of one exchange, side by side where there is room. */
import type { ComponentChildren } from 'preact'
import { FieldTable, type ShownField } from './field-table.js'
import { useNarrow } from './use-narrow.js'

/** Request or response. */
export interface MessagePart {
  title: string
  /** Address, or first line of the message. */
  line?: string
  /** Named values that belong together, such as its headers, in their order. */
  groups: readonly { caption: string; fields: readonly ShownField[] }[]
  /** Said where there is nothing to show, or not the whole. */
  note?: string | undefined
}

interface ExchangePartsProps {
  parts: readonly MessagePart[]
  /** Shows all secrets. Default: false. */
  isRevealed?: boolean
  /** The token comes first where there is no room for three parts. Default: false. */
  isTokenFirst?: boolean
  /** Sections behind those of the messages: the token. */
  children?: ComponentChildren
}

/** In a narrow window each message is folded, and only the last one is open. */
export function ExchangeParts({
  parts,
  isRevealed = false,
  isTokenFirst = false,
  children,
}: ExchangePartsProps) {
  const isNarrow = useNarrow()
  return (
    <div class={isTokenFirst ? 'exchange-frame token-first' : 'exchange-frame'}>
      <div class="exchange-parts">
        {parts.map((part, index) => {
          const message = <MessageBody part={part} isRevealed={isRevealed} />
          return isNarrow ? (
            <details class="exchange-folded" key={part.title} open={index === parts.length - 1}>
              <summary>
                <h3>{part.title}</h3>
              </summary>
              <section>{message}</section>
            </details>
          ) : (
            <section key={part.title}>
              <h3>{part.title}</h3>
              {message}
            </section>
          )
        })}
        {children}
      </div>
    </div>
  )
}

function MessageBody({
  part: { line, groups, note },
  isRevealed,
}: {
  part: MessagePart
  isRevealed: boolean
}) {
  return (
    <>
      {line !== undefined && (
        <p class="exchange-line">
          <code>{line}</code>
        </p>
      )}
      {note !== undefined && <p class="field-note">{note}</p>}
      {groups.map(({ caption, fields }) => (
        <FieldTable key={caption} caption={caption} fields={fields} isRevealed={isRevealed} />
      ))}
    </>
  )
}

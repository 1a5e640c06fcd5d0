/** Text whose words may be wider than their place: they break after a sign, and only where a line of their own is not enough. */
import { Fragment } from 'preact'

/** Signs after which an address, a scope or a name may break. */
const SIGNS = /([/._&?=:,]+)/

/** A copy of the shown text has nothing in it that the text itself has not. */
export function Breakable({ text }: { text: string }) {
  const words = text.split(' ')
  if (words.length === 1) return <Word text={text} />
  return (
    <>
      {words.map((word, index) => (
        <Fragment key={index}>
          {index > 0 && ' '}
          <span class="whole-word">
            <Word text={word} />
          </span>
        </Fragment>
      ))}
    </>
  )
}

function Word({ text }: { text: string }) {
  return (
    <>
      {text.split(SIGNS).map((part, index) => (
        <Fragment key={index}>
          {part}
          {/* Every second part is what the words are split by. */}
          {index % 2 === 1 && <wbr />}
        </Fragment>
      ))}
    </>
  )
}

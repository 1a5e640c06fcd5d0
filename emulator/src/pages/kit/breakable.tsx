/** Text of one word that may be wider than its place: it breaks after a sign, not in the middle of a word. */
import { Fragment } from 'preact'

/** Signs after which an address, a scope or a name may break. */
const SIGNS = /([/._&?=:,]+)/

/** A copy of the shown text has nothing in it that the text itself has not. */
export function Breakable({ text }: { text: string }) {
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

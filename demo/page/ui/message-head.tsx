/** Method, path, status and duration of one message, for the head of its details. */
import { type Exchange, title as titleOf } from '../exchanges/exchange'
import { OutcomeTag } from './outcome-tag'

export function MessageHead({ message }: { message: Exchange }) {
  const { duration } = message
  return (
    <p class="message-head">
      <code>{titleOf(message)}</code>
      <OutcomeTag exchange={message} />
      {duration !== undefined && duration > 0 && <span class="ms">{`${duration} ms`}</span>}
    </p>
  )
}

/** Line above a message: the command that it responds to and its player, or the message that it answers. */
import type { ShownMessage, View } from '../shared/chat-data.js'

interface Props {
  message: ShownMessage
  view: View
}

export function Origin({ message, view }: Props) {
  const { interaction_metadata: origin, message_reference: reference } = message
  const answered = view.messages.find(({ id }) => id === (reference?.message_id ?? origin?.interacted_message_id))
  if (answered !== undefined && answered !== message)
    return (
      <p class="origin">
        <img src={faceOf(answered)} alt="" width="16" height="16" />
        <b>
          <bdi>{answered.author.global_name ?? answered.author.username}</bdi>
        </b>
        <bdi class="excerpt">{answered.content || 'a message'}</bdi>
      </p>
    )
  if (!origin?.name) return null
  return (
    <p class="origin">
      <img src={`/avatars/${origin.user.id}.svg`} alt="" width="16" height="16" />
      <span>
        <bdi>{origin.user.global_name ?? origin.user.username}</bdi> used{' '}
        <b>
          <bdi>{origin.name}</bdi>
        </b>
      </span>
    </p>
  )
}

function faceOf({ author }: ShownMessage): string {
  return author.bot ? '/assets/icon.svg' : `/avatars/${author.id}.svg`
}

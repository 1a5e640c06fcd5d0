/** Poll of a message, with its votes. Players cannot vote here: a vote reaches no interactions endpoint. */
import { localeOf, useChat } from '../shared/chat-context.js'
import { relativeTime } from '../markdown/timestamp.js'
import { listOf, type PollData } from '../shared/wire-parts.js'
import { Emoji } from '../shared/emoji.js'

export function Poll({ poll, sent }: { poll: PollData; sent: string }) {
  const chat = useChat()
  const counts = listOf(poll.results?.answer_counts)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const ends = poll.expiry ? Date.parse(poll.expiry) : Date.parse(sent) + (poll.duration ?? 24) * 3_600_000
  const isOver = poll.results?.is_finalized === true || ends <= chat.view.now
  return (
    <section class="poll" aria-label={`Poll: ${poll.question?.text ?? ''}`}>
      <p class="poll-question" dir="auto">
        {poll.question?.text}
      </p>
      <p class="quiet">{poll.allow_multiselect ? 'Several answers can be chosen' : 'One answer can be chosen'}</p>
      <ul>
        {listOf(poll.answers).map(({ answer_id: id, poll_media: media }, index) => {
          const votes = counts.find((one) => one.id === (id ?? index + 1))?.count ?? 0
          const share = total === 0 ? 0 : Math.round((votes / total) * 100)
          return (
            <li style={{ '--share': `${share}%` }}>
              <span>
                <Emoji emoji={media?.emoji} /> <bdi>{media?.text}</bdi>
              </span>
              <span class="quiet">
                {votes} {votes === 1 ? 'vote' : 'votes'}, {share} %
              </span>
            </li>
          )
        })}
      </ul>
      <p class="quiet">
        {total} {total === 1 ? 'vote' : 'votes'}, {isOver ? 'over' : `ends ${relativeTime((ends - chat.view.now) / 1000, localeOf(chat))}`}
      </p>
    </section>
  )
}

/** Moment in the player's language and time zone, in one of the seven styles of the service. */
import { localeOf, useChat } from '../shared/chat-context.js'

const STYLES: Record<string, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
}

/** Units of a relative time, in seconds, from the largest. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function Timestamp({ seconds, style }: { seconds: number; style: string }) {
  const chat = useChat()
  const moment = new Date(seconds * 1000)
  if (Number.isNaN(moment.getTime())) return <span class="mention">Invalid Date</span>
  const locale = localeOf(chat)
  const words =
    style === 'R' ? relativeTime(seconds - chat.view.now / 1000, locale) : formatted(moment, style, locale)
  return (
    <time class="mention" datetime={moment.toISOString()} title={formatted(moment, 'F', locale)}>
      {words}
    </time>
  )
}

export function formatted(moment: Date, style: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, STYLES[style] ?? STYLES['f']).format(moment)
}

/** @param difference in seconds; negative for the past. */
export function relativeTime(difference: number, locale: string): string {
  const [unit, length] =
    UNITS.find(([, seconds]) => Math.abs(difference) >= seconds) ?? (['second', 1] as const)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(
    Math.round(difference / length),
    unit,
  )
}

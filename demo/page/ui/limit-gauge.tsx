/** Card of one limit: its use, the plot of the last minute, and facts about it. */
import type { LimitSample } from '../game/limit-sample'
import { BucketPlot } from './bucket-plot'
import { duration } from '../foundation/format-time'

interface Props {
  /** Name by which the card is found. */
  bucket: string
  title: string
  used: number
  limit: number
  /** Window in ms. */
  per: number
  samples: readonly LimitSample[]
  facts: readonly (readonly [name: string, value: string | number])[]
}

export function LimitGauge({ bucket, title, used, limit, per, samples, facts }: Props) {
  return (
    <li class={used >= limit ? 'gauge gauge-full' : 'gauge'} data-bucket={bucket}>
      <div class="gauge-head">
        <h3>{title}</h3>
        <p class="gauge-use">{`${used.toLocaleString('en')} of ${limit.toLocaleString('en')} in ${windowWords(per)}`}</p>
      </div>
      <BucketPlot samples={samples} limit={limit} />
      <dl class="gauge-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  )
}

/** Formats a duration as `2 h`, not `2 h 0 min`. */
function windowWords(per: number): string {
  return duration(per).replace(/ 0 \w+$/, '')
}

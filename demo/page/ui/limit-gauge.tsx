/** Card of one limit: its use, a plot of the last minute with usage as an area and waiting calls as a line, and facts about it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type UPlot from 'uplot'
import { useDemo } from '../context/use-demo'
import { duration } from 'kit/format-time'
import type { Screen } from '../foundation/page-address'
import { SAMPLE_COUNT, SAMPLE_INTERVAL, plotData, type LimitSample } from '../game/limit-sample'

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

const HEIGHT = 56
const PLACES = Array.from({ length: SAMPLE_COUNT }, (_, index) => index)

interface PlotProps {
  samples: readonly LimitSample[]
  limit: number
}

function BucketPlot({ samples, limit }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = usePlot(place)
  useEffect(() => {
    const { used, waiting, top } = plotData(samples, limit)
    plot?.setData([PLACES, [...used], [...waiting], PLACES.map(() => limit)], false)
    plot?.setScale('y', { min: 0, max: top })
  }, [plot, samples, limit])
  return <div class="plot" aria-hidden="true" ref={place} />
}

/** Creates the plot once the library is loaded, as wide as its place. */
function usePlot(place: { readonly current: HTMLElement | null }): UPlot | undefined {
  const [plot, setPlot] = useState<UPlot>()
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let created: UPlot | undefined
    let isGone = false
    const resized = new ResizeObserver(() => created?.setSize({ width: element.clientWidth, height: HEIGHT }))
    const create = async () => {
      const { default: Plot } = await import('uplot')
      if (isGone) return
      created = new Plot(optionsFor(element), [PLACES, [], [], []], element)
      resized.observe(element)
      setPlot(created)
    }
    // The library does not load where the browser names its language in a form that Intl refuses, such as en-US@posix: the numbers stay.
    create().catch(() => undefined)
    return () => {
      isGone = true
      resized.disconnect()
      created?.destroy()
    }
  }, [])
  return plot
}

/** Colors are those of the style sheet at the time of drawing, which the theme changes. */
function optionsFor(element: HTMLElement): UPlot.Options {
  const color = (name: string) => () => getComputedStyle(element).getPropertyValue(`--plot-${name}`)
  const points = { show: false }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [2, 0, 0, 0],
    cursor: { show: false },
    legend: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: [0, SAMPLE_COUNT - 1] },
      y: { auto: false, range: (_, min, max) => [min, max] },
    },
    series: [
      {},
      { stroke: color('used'), fill: color('area'), width: 1.5, points },
      { stroke: color('waiting'), width: 1.5, dash: [4, 3], points },
      { stroke: color('limit'), width: 1, dash: [2, 4], points },
    ],
  }
}

/** @param sample the one of the first call is used. */
export function useSampling(screen: Screen, sample: () => void): void {
  const { address } = useDemo()
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && address.current.peek().screen === screen) sample()
    }, SAMPLE_INTERVAL)
    return () => clearInterval(timer)
  }, [])
}

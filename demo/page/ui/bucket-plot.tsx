/** Small plot of a limit over time: usage as an area, waiting calls as a line. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type UPlot from 'uplot'
import { type LimitSample, plotData, SAMPLE_COUNT } from '../game/limit-sample'

const HEIGHT = 56
const PLACES = Array.from({ length: SAMPLE_COUNT }, (_, index) => index)

interface Props {
  samples: readonly LimitSample[]
  limit: number
}

export function BucketPlot({ samples, limit }: Props) {
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
    scales: { x: { time: false, range: [0, SAMPLE_COUNT - 1] }, y: { auto: false, range: (_, min, max) => [min, max] } },
    series: [
      {},
      { stroke: color('used'), fill: color('area'), width: 1.5, points },
      { stroke: color('waiting'), width: 1.5, dash: [4, 3], points },
      { stroke: color('limit'), width: 1, dash: [2, 4], points },
    ],
  }
}

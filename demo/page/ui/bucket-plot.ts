/** Small plot of a limit over time: usage as an area, waiting calls as a line. */
import { type Sample, SAMPLE_COUNT } from '../limits/rate-limit-samples'
import { svg } from './create-element'

const WIDTH = 240
const HEIGHT = 56
/** Margin for the stroke width. */
const EDGE = 2

export interface BucketPlot {
  readonly element: SVGElement
  draw(samples: readonly Sample[], limit: number): void
}

export function bucketPlot(): BucketPlot {
  const used = svg('path', { class: 'plot-used' })
  const waiting = svg('path', { class: 'plot-waiting' })
  const line = svg('line', { class: 'plot-limit', x1: 0, x2: WIDTH })
  const element = svg('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, [
    used,
    waiting,
    line,
  ])
  return {
    element,
    draw(samples, limit) {
      const top = Math.max(limit, ...samples.map((sample) => Math.max(sample.used, sample.waiting)))
      const y = (value: number) => HEIGHT - EDGE - (value / top) * (HEIGHT - 2 * EDGE)
      used.setAttribute('d', hill(samples.map((sample) => y(sample.used))))
      waiting.setAttribute('d', samples.some((sample) => sample.waiting > 0) ? path(samples.map((sample) => y(sample.waiting))) : '')
      line.setAttribute('y1', String(y(limit)))
      line.setAttribute('y2', String(y(limit)))
    },
  }
}

function path(heights: readonly number[]): string {
  const first = SAMPLE_COUNT - heights.length
  return heights
    .map((y, index) => `${index === 0 ? 'M' : 'L'}${(((first + index) / (SAMPLE_COUNT - 1)) * WIDTH).toFixed(1)} ${y.toFixed(1)}`)
    .join('')
}

function hill(heights: readonly number[]): string {
  const start = (((SAMPLE_COUNT - heights.length) / (SAMPLE_COUNT - 1)) * WIDTH).toFixed(1)
  return heights.length === 0 ? '' : `${path(heights)}L${WIDTH} ${HEIGHT}L${start} ${HEIGHT}Z`
}

/** Icons of the page, drawn with strokes in the colour of their text. */

const PATHS = {
  check: 'M4.5 12.5l5 5 10-11',
  cross: 'M6 6l12 12M18 6L6 18',
  dot: 'M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2v.3',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  entrance: 'M4 21V11a8 8 0 0 1 16 0v10M2 21h20M14.5 14v1.5',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  cloud: 'M7 18.5a4 4 0 0 1-.5-8 5.5 5.5 0 0 1 10.6-.5 4.2 4.2 0 0 1-.1 8.5zM4 4l16 16',
  send: 'M4 12l16-7-6 15-3-6z',
  screen: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
} as const

export type IconName = keyof typeof PATHS

/** Icon. Decorative only: the text beside it has the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

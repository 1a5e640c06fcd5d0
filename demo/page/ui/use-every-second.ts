/** Draws a component again every second, for times that count. */
import { useEffect, useReducer } from 'preact/hooks'
import { everySecond } from '../foundation/format-time'

export function useEverySecond(): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => everySecond(() => tick(undefined)), [])
}

/** Times that count: called, or drawn, again every second. */
import { useEffect, useReducer } from 'preact/hooks'

/** Calls the listener every second while the page is visible. Returns a function that stops it. */
export function everySecond(tick: () => void): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) tick()
  }, 1000)
  return () => clearInterval(timer)
}

/** Draws the component again every second. */
export function useEverySecond(): void {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => everySecond(() => tick(undefined)), [])
}

/** Takes a sample several times a second, while a screen is shown. */
import { useEffect } from 'preact/hooks'
import type { Screen } from '../foundation/page-address'
import { isScreen } from '../follow-address'
import { SAMPLE_INTERVAL } from './limits-meter'

/** @param sample the one of the first call is used. */
export function useSampling(screen: Screen, sample: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && isScreen(screen)) sample()
    }, SAMPLE_INTERVAL)
    return () => clearInterval(timer)
  }, [])
}

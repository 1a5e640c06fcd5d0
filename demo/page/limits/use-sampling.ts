/** Takes a sample several times a second, while a screen is shown. */
import { useEffect } from 'preact/hooks'
import type { Screen } from '../foundation/page-address'
import { useDemo } from '../context/use-demo'
import { SAMPLE_INTERVAL } from '../game/limit-sample'

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

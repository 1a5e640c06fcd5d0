/** Details of the selected request, from the control plane. */
import { useEffect, useState } from 'preact/hooks'
import type { RequestDetails } from '../../server/request-details.js'
import { read } from '../control/inspector-api.js'

/** Milliseconds: the arrow keys pass many requests. */
const PAUSE = 60

export interface LoadedDetails {
  details?: RequestDetails
  problem?: string
}

/** Keeps the masked details while the open ones are read. */
export function useDetails(serial: number, { reveal }: { reveal: boolean }): LoadedDetails {
  const [loaded, setLoaded] = useState<LoadedDetails>({})
  useEffect(() => {
    let isCurrent = true
    const show = (next: LoadedDetails) => {
      if (isCurrent) setLoaded(next)
    }
    const load = () =>
      read<RequestDetails>(`requests/${serial}${reveal ? '?reveal=true' : ''}`).then(
        (details) => show({ details }),
        (error: unknown) => show({ problem: error instanceof Error ? error.message : String(error) }),
      )
    const timer = setTimeout(() => void load(), PAUSE)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [serial, reveal])
  return loaded
}

/** Follows whether the window has room for one column only. */
import { useEffect, useState } from 'preact/hooks'

/** As in the style sheet, where parts of a message stand side by side from this width on. */
const NARROW = '(width < 35em)'

export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const follow = () => setNarrow(query.matches)
    follow()
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return isNarrow
}

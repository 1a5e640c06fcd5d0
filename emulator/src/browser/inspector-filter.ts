/** Filter of the requests, kept in the query of the address: a reload and a shared link show the same requests. */

export interface Filter {
  /** Words that a request must all have; see `matchRequest`. */
  text: string
  onlyRefused: boolean
  /** Shows the files and calls of the emulator's own pages too. */
  ownPages: boolean
}

export function readFilter(): Filter {
  const query = new URLSearchParams(location.search)
  return { text: query.get('filter') ?? '', onlyRefused: query.has('refused'), ownPages: query.has('own') }
}

export function saveFilter({ text, onlyRefused, ownPages }: Filter): void {
  const query = new URLSearchParams(location.search)
  const values = { filter: text === '' ? undefined : text, refused: onlyRefused ? '' : undefined, own: ownPages ? '' : undefined }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  history.replaceState(null, '', location.pathname + (query.size === 0 ? '' : `?${query.toString()}`))
}

/** Filter of the requests, kept in the query of the address: a reload and a shared link show the same requests. */

export interface Filter {
  /** Part of the method, path, status or rule. */
  text: string
  onlyRefused: boolean
}

export function readFilter(): Filter {
  const query = new URLSearchParams(location.search)
  return { text: query.get('filter') ?? '', onlyRefused: query.has('refused') }
}

export function saveFilter({ text, onlyRefused }: Filter): void {
  const query = new URLSearchParams({ ...(text !== '' && { filter: text }), ...(onlyRefused && { refused: '' }) }).toString()
  history.replaceState(null, '', location.pathname + (query === '' ? '' : `?${query}`))
}

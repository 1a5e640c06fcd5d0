/** Fields that limit the list of exchanges. The address of the page contains them. */
import { useState } from 'preact/hooks'
import { type Exchange, isFailed, matches } from '../../exchanges/exchange'
import type { Address } from '../../foundation/page-address'
import { useDemo } from '../../context/use-demo'

interface Filter {
  readonly words: string
  readonly failedOnly: boolean
  /** Shows the messages of all runs. */
  readonly isEveryRun: boolean
}

export function filterOf({ screen, parameters }: Address): Filter {
  const { filter = '', failed, runs } = screen === 'exchange' ? parameters : {}
  return { words: filter, failedOnly: failed !== undefined, isEveryRun: runs === 'all' }
}

/** @param filter with the number of the run that is shown. A message that belongs to no run is always listed. */
export function isShown(
  exchange: Exchange,
  { words, failedOnly, isEveryRun, run }: Filter & { run: number | undefined },
): boolean {
  const isOfRun = isEveryRun || exchange.run === undefined || exchange.run === run
  return isOfRun && matches(exchange, words) && (!failedOnly || isFailed(exchange))
}

export function ExchangeFilter() {
  const { exchanges, address, runs } = useDemo()
  const all = exchanges.list.value
  const filter = filterOf(address.current.value)
  const shown = all.filter((exchange) => isShown(exchange, { ...filter, run: runs.shown?.id })).length
  return (
    <div class="exchange-filter">
      <div class="field">
        <label for="exchange-filter">Filter</label>
        <WordsInput words={filter.words} />
      </div>
      <label class="check">
        <input
          type="checkbox"
          id="exchange-failed"
          checked={filter.failedOnly}
          onChange={({ currentTarget }) =>
            address.change({ failed: currentTarget.checked ? 'only' : undefined })
          }
        />
        Failed only
      </label>
      <label class="check" hidden={runs.all.value.length < 2}>
        <input
          type="checkbox"
          id="exchange-runs"
          checked={filter.isEveryRun}
          onChange={({ currentTarget }) =>
            address.change({ runs: currentTarget.checked ? 'all' : undefined })
          }
        />
        All runs
      </label>
      <p class="hint" role="status">
        {shown === all.length ? '' : `${shown} of ${all.length} shown.`}
      </p>
    </div>
  )
}

function WordsInput({ words }: { words: string }) {
  const { address } = useDemo()
  const [typed, setTyped] = useState(words)
  const input = (text: string) => {
    setTyped(text)
    address.change({ filter: text.trim() })
  }
  return (
    <input
      id="exchange-filter"
      type="search"
      autocomplete="off"
      placeholder="token 400"
      // Spaces at the end stay while the next word is typed.
      value={typed.trim() === words ? typed : words}
      onInput={({ currentTarget }) => input(currentTarget.value)}
    />
  )
}

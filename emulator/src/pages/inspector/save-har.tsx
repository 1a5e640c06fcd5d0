/** Button that saves the listed requests as an HTTP Archive, oldest first, with secrets masked. */
import { useState } from 'preact/hooks'
import { saveFile } from '../kit/save-file.js'
import { readDetails } from './control/inspector-api.js'
import type { ListedRequest } from './control/inspector-data.js'
import { harOf, type LoggedExchange } from './details/har-of.js'

/** @param requests newest first. */
export function SaveHar({ requests }: { requests: readonly ListedRequest[] }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    saveFile('requests.har', harOf(await readAll(requests.toReversed()), location.origin))
    setBusy(false)
  }
  return (
    <button type="button" aria-label="Save the requests as HAR" disabled={isBusy} onClick={() => void save()}>
      Save HAR
    </button>
  )
}

/** One after the other. The log may have some of them no more. */
async function readAll(requests: readonly ListedRequest[]): Promise<LoggedExchange[]> {
  const exchanges: LoggedExchange[] = []
  for (const request of requests) {
    const details = await readDetails(request.serial, { reveal: false }).catch(() => undefined)
    if (details !== undefined) exchanges.push({ request, details })
  }
  return exchanges
}

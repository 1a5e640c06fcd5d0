/** Message of the chosen step: its request, its response and its decoded token side by side, and what a failure means. */
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { ExchangeDetails } from '../../ui/exchange-details'
import { messagesOf, type RunRow, rowsOf, shownRow, signedClaims } from '../../game/run-rows'
import type { Run } from '../../game/runs'
import { explain } from '../../game/explain'
import { CheckList } from '../../ui/check-list'
import { MessageHead } from '../../ui/message-head'
import { Failure } from './failure'
import { MessageExample } from './message-example'

export function MessagePanel() {
  const { runs, exchanges } = useDemo()
  const run = runs.shown
  const own = run ? messagesOf(run, exchanges.list.value) : []
  const row = run && shownRow(rowsOf(run, own), run, runs.chosenRow.value)
  const isFailure = useIsFailure(run, row)
  return (
    <Panel
      id="message"
      title={row?.title ?? 'Message'}
      tools={row?.message && <MessageHead message={row.message} />}
    >
      <div class="failure-slot" role="alert">
        {isFailure && <Failure />}
      </div>
      {row ? (
        <RowDetails
          row={isFailure ? { ...row, detail: '' } : row}
          run={run}
          key={`${run.id} ${row.message?.id}`}
        />
      ) : (
        <MessageExample />
      )}
    </Panel>
  )
}

/** True for the error of the last sign-in. */
function useIsFailure(run: Run | undefined, row: RunRow | undefined): boolean {
  const { runs, signIn } = useDemo()
  const { phase, error } = signIn.progress.value
  if (phase !== 'failed' || run !== runs.current || row?.kind !== 'failed') return false
  return row.name === '' && row.title === explain(error).code
}

/** The requests of a run of a file belong to another session: they cannot be sent again. */
function RowDetails({ row: { name, detail, checks, message }, run }: { row: RunRow; run: Run }) {
  if (message)
    return (
      <ExchangeDetails
        exchange={message}
        words={detail}
        isTokenFirst={name.startsWith('id_token.')}
        canSendAgain={message.kind === 'request' && run.opened === undefined}
        claims={signedClaims(message, run)}
      />
    )
  return (
    <>
      {detail !== '' && <p class="step-detail">{detail}</p>}
      {checks.length > 0 && <CheckList checks={checks} />}
    </>
  )
}

/** Buttons that save the shown run as a file and open one. A file can also be dropped anywhere on the screen. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useDemo } from '../../context/use-demo'
import { byId } from '../../foundation/by-id'
import { readRunText, RunFileError, runText } from '../../game/run-file'
import { messagesOf } from '../../game/run-rows'
import type { Run } from '../../game/runs'

export function RunFiles({ run }: { run: Run | undefined }) {
  const [fault, setFault] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const open = useOpen(setFault)
  useDrop(open)
  const save = useSave(run)
  return (
    <>
      <button type="button" class="quiet" aria-label="Save run" hidden={!run} onClick={save}>
        Save
      </button>
      <button type="button" class="quiet" aria-label="Open run" onClick={() => input.current?.click()}>
        Open
      </button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File of a run"
        onChange={({ currentTarget }) => {
          void open(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <p class="fault run-fault" role="status">
        {fault}
      </p>
    </>
  )
}

function useSave(run: Run | undefined): () => void {
  const { exchanges } = useDemo()
  return () => {
    if (!run) return
    const calls = run.opened?.calls ?? exchanges.calls.value.filter((call) => call.run === run.id)
    const text = runText({ run, messages: messagesOf(run, exchanges.list.value), calls })
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = url
    link.download = `foyer-run-${run.id}.json`
    link.click()
    URL.revokeObjectURL(url)
  }
}

/** @param report shows what is wrong with a file; empty if nothing is. */
function useOpen(report: (fault: string) => void): (file: File | undefined) => Promise<void> {
  const { runs } = useDemo()
  return async (file) => {
    if (!file) return
    try {
      const { run, messages, calls } = readRunText(await file.text())
      runs.open(run, { file: file.name, messages, calls })
      report('')
    } catch (error) {
      report(error instanceof RunFileError ? error.message : 'This file cannot be read.')
    }
  }
}

function useDrop(open: (file: File | undefined) => Promise<void>): void {
  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    const screen = byId('screen-player')
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      const [file] = event.dataTransfer?.files ?? []
      if (!file) return
      event.preventDefault()
      void latest.current(file)
    }
    screen.addEventListener('dragover', allow)
    screen.addEventListener('drop', drop)
    return () => {
      screen.removeEventListener('dragover', allow)
      screen.removeEventListener('drop', drop)
    }
  }, [])
}

/** Settings of the emulator's limits: they apply at once, and show what another page has set. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { type HeaderMode, type ServiceLimitsMeter, setLimits } from '../limits/service-limits'
import { SelectField } from 'kit/select-field'
import type { Status } from 'kit/use-status'

const HEADERS: readonly { value: HeaderMode; label: string }[] = [
  { value: 'visible', label: 'readable' },
  { value: 'hidden', label: 'not readable (CORS)' },
  { value: 'absent', label: 'not sent' },
]

const TOTALS = [
  { value: 'usual', label: '50 in a second' },
  { value: 'raised', label: '1,200 in a second, raised on request' },
] as const

export function LimitSettings({ meter, run }: { meter: ServiceLimitsMeter; run: Status['run'] }) {
  const read = meter.current.value
  const [headers, setHeaders] = useState<string>('visible')
  const [total, setTotal] = useState<string>('usual')
  useLayoutEffect(() => {
    if (!read) return
    if (!hasFocus('limit-headers')) setHeaders(read.headers)
    if (!hasFocus('limit-total')) setTotal(read.raised ? 'raised' : 'usual')
  }, [read])
  const changeHeaders = (value: string) => {
    setHeaders(value)
    const chosen = HEADERS.find((one) => one.value === value)
    if (chosen) void run('Setting …', () => setLimits({ headers: chosen.value }).then(() => `Headers of rate limits: ${chosen.label}.`))
  }
  const changeTotal = (value: string) => {
    setTotal(value)
    void run('Setting …', () => setLimits({ raised: value === 'raised' }).then(() => 'The limit of all requests was set.'))
  }
  return (
    <>
      <SelectField id="limit-headers" label="Headers of rate limits" choices={HEADERS} value={headers} onChange={changeHeaders} />
      <SelectField id="limit-total" label="All requests together" choices={TOTALS} value={total} onChange={changeTotal} />
    </>
  )
}

/** A list that is being used keeps what is chosen in it. */
function hasFocus(id: string): boolean {
  return document.activeElement?.id === id
}

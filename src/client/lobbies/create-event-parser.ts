/** Incremental parser of server-sent events (WHATWG HTML, section 9.2.6). */

/** One event of a stream. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
  /** Last id of the stream, for the header `Last-Event-ID`. */
  readonly id: string
}

/** Maximum length of an unfinished event. */
const MAX_EVENT = 1024 * 1024

/** Creates a parser: each call takes the next part of the stream and returns the completed events. Throws for an endless event. */
export function createEventParser(): (text: string) => StreamEvent[] {
  let rest = ''
  let [name, id] = ['', '']
  let data: string[] = []
  const readLine = (line: string): StreamEvent | undefined => {
    if (line === '') {
      const event = data.length > 0 ? { name: name || 'message', data: data.join('\n'), id } : undefined
      name = ''
      data = []
      return event
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? []
    if (field === 'event') name = value
    else if (field === 'data') data.push(value)
    else if (field === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  return (text) => {
    // A CR at the end may be the first half of a CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    if (rest.length + data.reduce((sum, line) => sum + line.length, 0) > MAX_EVENT)
      throw new RangeError('event too long')
    return lines.flatMap((line) => readLine(line) ?? [])
  }
}

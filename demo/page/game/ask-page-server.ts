/** Requests to the page's own server, which has the bot token and the control token of the emulator. */

/** @throws Error with the reason of the service or the server. */
export async function askPageServer<Answer>(name: string, body: object = {}): Promise<Answer> {
  const response = await fetch(`commands/${name}`, { method: 'POST', body: JSON.stringify(body) }).catch(
    () => undefined,
  )
  if (!response) throw new Error('The server of this page does not answer.')
  const answer: Answer & { message?: string } = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message ?? `status ${response.status}`)
  return answer
}

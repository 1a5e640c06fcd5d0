/** The form that a request of the SDK sends, read as a server reads it: by its content type. */

export function formOf({ body, headers }: RequestInit): URLSearchParams {
  const isForm = new Headers(headers).get('content-type')?.startsWith('application/x-www-form-urlencoded')
  return new URLSearchParams(isForm && typeof body === 'string' ? body : '')
}

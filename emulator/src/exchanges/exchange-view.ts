/** What an exchange says, in the form in which it is masked and shown (types only). */
import type { ShownBody } from './body-record.js'
import type { Header } from './record-exchange.js'

export interface ShownMessage {
  /** Request line or status line. */
  line: string
  headers: Header[]
  body: ShownBody
}

/** A JSON Web Token of an exchange. */
export interface ShownToken {
  /** Name of the field with the token. */
  name: string
  encoded: string
  /** Header and claims, as indented JSON. */
  header: string
  claims: string
  /** Epoch seconds. */
  expiresAt?: number
}

export interface ExchangeView {
  request: ShownMessage
  /** Absent if the connection closed before an answer. */
  response?: ShownMessage
  tokens: ShownToken[]
}

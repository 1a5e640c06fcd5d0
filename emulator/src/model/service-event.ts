/** Event of the service, under the service's own name. */
export interface ServiceEvent {
  /** For example `lobby.created`. */
  name: string
  data: unknown
}

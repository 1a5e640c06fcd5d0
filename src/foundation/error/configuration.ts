/** The game's code or configuration is wrong. */
import { FoyerError } from './base'

export type ConfigurationErrorCode =
  | 'missing_service_host'
  | 'missing_application_id'
  | 'insecure_endpoint'
  | 'invalid_argument'
  | 'unsupported'
  | 'closed'
  /** Electron: a page called the client of the main process that its `windows` do not name. */
  | 'untrusted_window'
  /** Other writers than this SDK's keep changing the same thing: let one write. */
  | 'contended'
  /** The page stands in no Activity: its address has no launch parameters, or no window is around it. */
  | 'no_activity_host'

/** The game's code or configuration is wrong: fix the code. */
export class ConfigurationError extends FoyerError<ConfigurationErrorCode> {
  override readonly name = 'ConfigurationError'
}

/** Error codes of backends that refuse a player's request. */

/** Codes of `PlayerTokenError`: the backend refuses a player's request, with 401 unless stated. */
export type PlayerTokenErrorCode =
  /** The request has no `Authorization: Bearer …` header. */
  | 'missing_player_token'
  /** The request carries a token in its URL, where logs and other pages can read it. */
  | 'token_in_url'
  | 'player_token_expired'
  /** The token is not valid for this application: see `path` and `expected`. */
  | 'player_token_rejected'
  /** The ticket is unknown here: it was used, is older than 30 s, or belongs to another purpose or application. */
  | 'ticket_rejected'
  /** The player is in no such lobby: respond with 403. */
  | 'not_a_member'

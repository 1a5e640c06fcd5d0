/** Errors of lobbies, by the service's codes. */
import { ApiError } from './api-error.js'

/** @param reason reason why the lobby ended, if it existed. */
export function unknownLobby(reason: string | undefined): ApiError {
  const rule = reason === undefined ? 'no lobby has this id' : `the lobby is gone: ${reason}`
  return new ApiError({ status: 404, code: 10031, message: 'Unknown Lobby', rule })
}

export function unknownUser(rule: string): ApiError {
  return new ApiError({ status: 404, code: 10013, message: 'Unknown User', rule })
}

export function unknownMessage(): ApiError {
  return new ApiError({
    status: 404,
    code: 10008,
    message: 'Unknown Message',
    rule: 'no message of this lobby has this id',
  })
}

export function emptyMessage(): ApiError {
  return new ApiError({
    status: 400,
    code: 50006,
    message: 'Cannot send an empty message',
    rule: 'content must have more than blanks',
  })
}

export function onlyPlayers(): ApiError {
  const rule = 'a bot token is no player: this endpoint takes the Bearer token of a player'
  return new ApiError({ status: 403, code: 20001, message: 'Bots cannot use this endpoint', rule })
}

export function onlyBots(): ApiError {
  const rule = 'this endpoint is for the application: the token must be "Bot <bot token>"'
  return new ApiError({ status: 403, code: 20002, message: 'Only bots can use this endpoint', rule })
}

/** The lobby's state does not allow the operation. */
export function impossible(rule: string): ApiError {
  const errors = { _errors: [{ code: 'LOBBY_INVALID', message: `This cannot be done: ${rule}.` }] }
  return new ApiError({ status: 400, code: 50035, message: 'Invalid Form Body', rule, errors })
}

/** Parts of the SDK that tests and benchmarks use and its entries do not export. Only this file names their paths, so that code can move. */
export { encodeAttempt, MAX_RECORDS } from '../../src/authorization/attempt-record'
export { type Attempt, beginAttempt } from '../../src/authorization/begin-attempt'
export { callbackChecks } from '../../src/authorization/callback-checks'
export { callbackState, readCallback } from '../../src/authorization/check-callback'
export { decodeAttempt, isFresh } from '../../src/authorization/decode-attempt'
export { createSeal } from '../../src/backend-session/sealed-text'
export { indexedDbRateLimitStore } from '../../src/browser/indexed-db-limits'
export { openPlayerStream } from '../../src/browser/open-player-stream'
export { type OpenLobbyStream, PlayerLobbyStream } from '../../src/browser/player-lobby-stream'
export { CALL_PATHS, findCall } from '../../src/client/call-paths'
export { createAuthState } from '../../src/client/context/auth-state'
export type { ClientContext } from '../../src/client/context/client-context'
export { CLIENT_EVENTS } from '../../src/client/context/client-events'
export { resolveOptions } from '../../src/client/context/client-options'
export type { Sessions } from '../../src/client/context/sessions'
export { CoreClient } from '../../src/client/core-client'
export { createSessions } from '../../src/client/create-sessions'
export type { CallModules } from '../../src/client/groups/call-modules'
export { allowedOrigins, isOfOrigin, localServiceOrigin, resolveBackendUrl } from '../../src/client/groups/resolve-backend-url'
export { Lobby } from '../../src/client/lobbies/lobby'
export { createEngine } from '../../src/engine/create-engine'
export { EVENTS, PROPERTIES } from '../../src/engine/engine-methods'
export { AbortGroup } from '../../src/foundation/abort-group'
export { systemClock } from '../../src/foundation/clock'
export { REMEDIES } from '../../src/foundation/error/remedies'
export { isApplicationId, toApplicationId } from '../../src/foundation/ids'
export { importPart } from '../../src/foundation/import-part'
export { monotonic } from '../../src/foundation/monotonic-clock'
export { apiError } from '../../src/http/api-error'
export { requestJson, sendRequest } from '../../src/http/http-client'
export { type Failure, failureOf, isConnectionFailure, mayRetry, retryDelay } from '../../src/http/retry-policy'
export { bucketsOf, configuredBuckets, fairnessKeyOf } from '../../src/http/route-limits'
export { type LimitedRequest, sendRateLimited } from '../../src/http/send-rate-limited'
export { createHandler } from '../../src/interactions/create-handler'
export { decodeInteraction } from '../../src/interactions/decode-interaction'
export { timesOf } from '../../src/interactions/interaction-times'
export { readBody } from '../../src/interactions/read-body'
export { chosenUser, findOptionPath, lookUp, readOptions, readPartialOptions } from '../../src/interactions/read-options'
export { asInteractionError, createReport } from '../../src/interactions/report'
export { instanceId, requireMessage } from '../../src/interactions/require-message'
export { Router } from '../../src/interactions/router'
export { toChoices } from '../../src/interactions/to-choices'
export { createEventParser } from '../../src/lobbies/create-event-parser'
export { decodeInvite, decodeLobby, decodeMember, decodeMembers } from '../../src/lobbies/decode-lobby'
export { LobbyCache } from '../../src/lobbies/lobby-cache'
export { LobbyCallQueue, LobbyCallQueues } from '../../src/lobbies/lobby-call-queue'
export { lobbyEvents } from '../../src/lobbies/lobby-updates'
export { MessagePulls } from '../../src/lobbies/message-pulls'
export { watch } from '../../src/lobbies/poll-messages'
export {
  compareIds,
  readInviteCode,
  readLobby,
  readMessage,
  readMessages,
  toLobby,
  toMember,
  toMessage,
} from '../../src/lobbies/read-lobby'
export { validateModeration } from '../../src/lobbies/validate-moderation'
export { joinBody, messageBody, requireIds, requireLimit } from '../../src/lobbies/validate-player-input'
export { ConnectLimit } from '../../src/lobby-hub/connect-limit'
export { createEventStreamResponse, takeEventSource } from '../../src/lobby-hub/event-stream-response'
export { HEARTBEAT_STEP, HeartbeatRounds } from '../../src/lobby-hub/heartbeat-rounds'
export { PlayerStream } from '../../src/lobby-hub/player-stream'
export { prepareMessage } from '../../src/messages/prepare-message'
export type { Bucket, BucketSpec } from '../../src/rate-limit/bucket'
export { BucketRegistry } from '../../src/rate-limit/bucket-registry'
export { CircuitBreaker } from '../../src/rate-limit/circuit-breaker'
export { FairQueue, type Priority, Waiter, WaitQueue } from '../../src/rate-limit/fair-queue'
export type { LimiterEvents } from '../../src/rate-limit/limiter-events'
export { Permit } from '../../src/rate-limit/permit'
export { parseRateLimitHeaders, type RateLimitInfo, type ResponseHead } from '../../src/rate-limit/rate-limit-info'
export { type LimitRequest, RateLimiter } from '../../src/rate-limit/rate-limiter'
export {
  type BucketState,
  countRefusals,
  dropDeadParties,
  dropExpired,
  emptyBucketState,
  isEmpty,
  normalizeClock,
  recordHeartbeat,
  renewLease,
} from '../../src/rate-limit/shared/bucket-state'
export { createKeyedMutex, type KeyedMutex } from '../../src/rate-limit/shared/keyed-mutex'
export { fairPart, gateOf, opensAt, smoothed } from '../../src/rate-limit/slot-window'
export {
  type AcquireRequest,
  DEAD_AFTER,
  freeAt,
  type Grant,
  granularity,
  margin,
  reservationHold,
  type Settlement,
  type SharedBucket,
} from '../../src/rate-limit/store-port'
export { TimerQueue } from '../../src/rate-limit/timer-queue'
export { decodeNumbered, encodeNumbered, NoteCounts } from '../../src/redis/note-counts'
export { watchConnection } from '../../src/redis/watch-connection'
export { limitsOf, MAX_GLOBAL_LIMIT } from '../../src/service/limits'
export { createServiceConfig } from '../../src/service/service-config'
export { requestAccount } from '../../src/tokens/accounts/send-account-request'
export { extraScopes, refuseExtraScopes } from '../../src/tokens/extra-scopes'
export { parseIdToken } from '../../src/tokens/id-token/parse-id-token'
export { createRemoteJwks, type RemoteJwks } from '../../src/tokens/id-token/remote-jwks'
export {
  type IdTokenExpectation as ClaimExpectation,
  measureSkew,
  requireClaims,
  requireTimes,
} from '../../src/tokens/id-token/require-claims'
export { type IdTokenExpectation, verifyIdToken } from '../../src/tokens/id-token/verify-id-token'
export { readKeys, selectKeys } from '../../src/tokens/id-token/verify-signature'
export type { VerifiedTokens } from '../../src/tokens/requests/token-endpoint'
export {
  applyRefresh,
  evaluateInvalidGrant,
  evaluateResponse,
  expiryNotice,
  isExpired,
  markInDoubt,
  markLost,
  markSent,
  nextAttempt,
  refreshDueAt,
} from '../../src/tokens/session/refresh-policy'
export { type EnvironmentListener, type SessionEnvironment, singleClientEnvironment } from '../../src/tokens/session/session-environment'
export { persistIn } from '../../src/tokens/session/session-persistence'
export { decodeStored, encodeEnd, encodeRecord, type RefreshAttempt, type SessionRecord } from '../../src/tokens/session/session-record'
export { decodeTokenSet, splitScopes } from '../../src/tokens/token-set'
export { joinPage } from '../../src/vite/join-page'
export { serveSecondName } from '../../src/vite/second-name'

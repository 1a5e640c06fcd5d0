/** Parts of the SDK that tests and benchmarks use and its entries do not export. Only this file names their paths, so that code can move. */
export { encodeAttempt, MAX_RECORDS } from '../../src/shared/authorization/attempt-record'
export { type Attempt, beginAttempt } from '../../src/shared/authorization/attempt'
export { callbackChecks } from '../../src/shared/authorization/callback-checks'
export { takeOptions } from '../../src/shared/foundation/take-options'
export { callbackState, readCallback } from '../../src/shared/authorization/check-callback'
export { decodeAttempt, isFresh } from '../../src/shared/authorization/decode-attempt'
export { RELAYED_ROUTES } from '../../src/server/sessions/find-relayed-call'
export { sessionRoutes } from '../../src/server/sessions/handle-session-request'
export { createSeal } from '../../src/server/sessions/sealed-text'
export { STORE_KINDS, type StoreKey, storeKey } from '../../src/server/keys/store-key'
export { indexedDbRateLimitStore } from '../../src/client/page/indexed-db-limits'
export { openPlayerStream } from '../../src/client/page/open-lobby-stream'
export { type OpenLobbyStream, PlayerLobbyStream } from '../../src/client/page/player-lobby-stream'
export { CALL_PATHS, findCall } from '../../src/client/call-paths'
export { AuthState } from '../../src/client/context/auth-state'
export type { ClientBase } from '../../src/client/context/client-base'
export { CLIENT_EVENTS } from '../../src/client/context/client-events'
export { resolveOptions } from '../../src/client/context/client-options'
export { CoreClient } from '../../src/client/core-client'
export { Sessions } from '../../src/client/sign-in/sessions'
export {
  allowedOrigins,
  isOfOrigin,
  localServiceOrigin,
  resolveBackendUrl,
} from '../../src/client/groups/backend-calls'
export { Lobby } from '../../src/client/lobbies/lobby'
export { LobbySubscription } from '../../src/tools/react/lobby-subscription'
export { createEngine } from '../../src/tools/engine/create-engine'
export { EVENTS, PROPERTIES } from '../../src/tools/engine/engine-methods'
export { AbortGroup } from '../../src/shared/foundation/async'
export { systemClock } from '../../src/shared/foundation/clock'
export { REMEDIES } from '../../src/shared/foundation/error-text'
export { isApplicationId, toApplicationId } from '../../src/shared/foundation/ids'
export { importPart } from '../../src/shared/foundation/async'
export { monotonic } from '../../src/shared/foundation/monotonic-clock'
export { apiError } from '../../src/shared/http/api-error'
export { fetchUnfollowed } from '../../src/shared/http/http-client'
export { requestJson, sendRequest } from '../../src/shared/http/http-client'
export {
  type Failure,
  failureOf,
  isConnectionFailure,
  mayRetry,
  retryDelay,
} from '../../src/shared/http/retry'
export { type Api, fairnessKeyOf } from '../../src/shared/http/api'
export { configuredBuckets, RouteLimits } from '../../src/shared/http/limited-api'
export { type RetriedRequest, sendRetried } from '../../src/shared/http/retry'
export { createHandler } from '../../src/server/interactions/create-handler'
export { decodeInteraction } from '../../src/server/interactions/decode-interaction'
export { timesOf } from '../../src/server/interactions/interaction-times'
export { readBody } from '../../src/server/interactions/read-body'
export {
  chosenUser,
  findOptionPath,
  lookUp,
  readOptions,
  readPartialOptions,
} from '../../src/server/interactions/read-options'
export { asInteractionError, createReport } from '../../src/server/interactions/report'
export { instanceId, requireMessage } from '../../src/server/interactions/require-message'
export { Router } from '../../src/server/interactions/router'
export { toChoices } from '../../src/server/interactions/to-choices'
export { createEventParser } from '../../src/client/page/player-lobby-stream'
export { decodeInvite, decodeLobby, decodeMember, decodeMembers } from '../../src/server/lobbies/decode-lobby'
export { LiveLobby } from '../../src/client/lobbies/live-lobby'
export { PLAYER_BODIES, validatePlayerBody } from '../../src/shared/lobbies/lobby-rules'
export { LobbyCache } from '../../src/client/lobbies/lobby-cache'
export { LobbyCallQueue, LobbyCallQueues } from '../../src/client/lobbies/lobby-requests'
export { lobbyEvents } from '../../src/client/lobbies/lobby-updates'
export { MessagePulls } from '../../src/client/lobbies/new-messages'
export { watch } from '../../src/client/lobbies/new-messages'
export {
  compareIds,
  readInviteCode,
  readLobby,
  readMessage,
  readMessages,
  toLobby,
  toMember,
  toMessage,
} from '../../src/client/lobbies/read-lobby'
export { validateModeration } from '../../src/server/lobbies/validate-lobby'
export { joinBody, messageBody, requireIds, requireLimit } from '../../src/client/lobbies/lobby-requests'
export { ConnectLimit } from '../../src/server/hub/connect-limit'
export { createEventStreamResponse, takeEventSource } from '../../src/server/hub/event-stream-response'
export { HEARTBEAT_STEP, HeartbeatRounds } from '../../src/server/hub/heartbeat-rounds'
export { PlayerStream } from '../../src/server/hub/player-stream'
export { prepareMessage } from '../../src/server/messages/prepare-message'
export type { Bucket, BucketSpec } from '../../src/shared/rate-limit/bucket'
export { BucketRegistry } from '../../src/shared/rate-limit/bucket-registry'
export { CircuitBreaker } from '../../src/shared/rate-limit/circuit-breaker'
export { FairQueue, type Priority, Waiter, WaitQueue } from '../../src/shared/rate-limit/fair-queue'
export type { LimiterEvents } from '../../src/shared/rate-limit/limiter-events'
export { Permit } from '../../src/shared/rate-limit/permit'
export {
  parseRateLimitHeaders,
  type RateLimitInfo,
  type ResponseHead,
} from '../../src/shared/rate-limit/rate-limit-info'
export { type LimitRequest, RateLimiter } from '../../src/shared/rate-limit/rate-limiter'
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
} from '../../src/shared/rate-limit/shared/bucket-state'
export { createKeyedMutex, type KeyedMutex } from '../../src/shared/rate-limit/shared/keyed-mutex'
export { fairPart, gateOf, opensAt, smoothed } from '../../src/shared/rate-limit/slot-window'
export {
  type AcquireRequest,
  freeAt,
  granularity,
  margin,
  reservationHold,
  type Settlement,
} from '../../src/shared/rate-limit/store-port'
export { TimerQueue } from '../../src/shared/rate-limit/scheduler'
export { decodeNumbered, encodeNumbered, NoteCounts } from '../../src/server/redis/note-counts'
export { watchConnection } from '../../src/server/redis/watch-connection'
export { limitsOf, MAX_GLOBAL_LIMIT } from '../../src/shared/service/limits'
export { createServiceConfig } from '../../src/shared/service/service-config'
export { requestAccount } from '../../src/shared/tokens/account-requests'
export { extraScopes, refuseExtraScopes } from '../../src/client/session/extra-scopes'
export { parseIdToken } from '../../src/shared/tokens/parse-id-token'
export { createRemoteJwks, type RemoteJwks } from '../../src/shared/tokens/remote-jwks'
export {
  type IdTokenExpectation as ClaimExpectation,
  measureSkew,
  requireClaims,
  requireTimes,
} from '../../src/shared/tokens/verify-id-token'
export { type IdTokenExpectation, verifyIdToken } from '../../src/shared/tokens/verify-id-token'
export { readKeys, selectKeys } from '../../src/shared/tokens/remote-jwks'
export type { VerifiedTokens } from '../../src/shared/tokens/token-endpoint'
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
} from '../../src/client/session/refresh'
export {
  type EnvironmentListener,
  type SessionEnvironment,
  singleClientEnvironment,
} from '../../src/client/session/current-session'
export type { RefreshAttempt, SessionRecord } from '../../src/client/session/session'
export { decodeStored, encodeEnd, encodeRecord, persistIn } from '../../src/client/session/stored-session'
export { decodeTokenSet, splitScopes } from '../../src/shared/tokens/token-set'
export { joinPage } from '../../src/tools/vite/join-page'
export { RESUME_MODULES, STORE_MODULES } from '../../src/tools/vite/preload-resume'
export { serveSecondName } from '../../src/tools/vite/second-name'
export { CheckedBody } from '../../src/shared/http/checked-body'
export type { InteractionCall } from '../../src/server/interactions/interaction-calls'
export type { PreparedMessage } from '../../src/server/messages/prepare-message'
export { COMPONENTS } from '../../src/server/messages/component'
export { MessageCheck } from '../../src/server/messages/message-check'
export type { MessageRule, MessageShape } from '../../src/server/messages/message-kinds'
export { MESSAGE } from '../../src/server/messages/message-shapes'
export { Place } from '../../src/shared/foundation/rules'

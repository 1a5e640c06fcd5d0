/** foyer-emulator: a local emulator of the service that Foyer connects to. @module foyer-emulator */
export { createEmulator } from './emulator/create-emulator.js'
export type { EmulatorOptions } from './emulator/create-emulator.js'
export type { Emulator, EmulatorApplication, EmulatorUser, TokenRequest } from './emulator/emulator-types.js'
export type { ActivityControls, InstanceView, JoinInput, LaunchInput, PlayerChange } from './activity/activity-control-types.js'
export type { ProxyMapping } from './activity/url-mappings.js'
export type { DeviceState, VoiceState } from './activity/player-device-state.js'
export type { Invitation } from './activity/invitation-store.js'
export type { Entitlement, SkuInput } from './activity/purchase-store.js'
export type { RelationshipKind } from './activity/relationship-store.js'
export type { CommandBehavior } from './context/command-settings.js'
export type { EdgeView, LimitUse, LimitView, LimitsView } from './limits/count-requests.js'
export type {
  EdgeSetting,
  HeaderMode,
  LimitName,
  LimitSetting,
  LimitsInput,
  LimitsChange,
  LimitsProfile,
} from './limits/rate-limit-settings.js'
export type { WindowKind } from './limits/rate-limit-algorithms.js'
export type { LobbyBehavior } from './context/lobby-settings.js'
export type { ServiceEvent } from './model/service-event.js'
export type {
  InteractionControls,
  Outcome,
  PressButtonInput,
  UserContext,
  SubmitModalInput,
  TypeOptionInput,
  UseCommandInput,
} from './interactions/interaction-control-types.js'
export type { Choice as AutocompleteChoice } from './interactions/backend-response.js'
export type { DeliveryLogEntry, LoggedCall } from './interactions/backend-request-log.js'
export type { UploadedFile } from './interactions/validate-player-input.js'
export type { Message } from './interactions/channel-message-store.js'
export type { Input } from './interactions/validate-player-input.js'
export type { EventAttempt, EventControls, EventDelivery } from './webhooks/event-control-types.js'
export type { ClockChange, ClockState } from './foundation/clock.js'
export { EmulatorError, type EmulatorErrorCode } from './foundation/emulator-error.js'
export type { FaultEffect, FaultRule } from './faults/parse-fault-rules.js'
export type { FaultKind } from './faults/apply-fault.js'
export type { LoggedRequest } from './server/request-log.js'
export type { ApprovalInput } from './consent-driver/approve.js'
export type { DeviceApprovalInput } from './consent-driver/approve-device.js'
export type { Snapshot } from './emulator/emulator-types.js'
export type { SeedInput } from './seed/seed-types.js'

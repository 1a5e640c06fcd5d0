/** foyer-emulator: a local emulator of the service that Foyer connects to. @module foyer-emulator */
export { createEmulator } from './emulator/create-emulator.js'
export type { EmulatorOptions } from './emulator/create-emulator.js'
export type { Emulator, EmulatorApplication, EmulatorUser, TokenRequest } from './api/control/emulator.js'
export type {
  AcceptedInvitation,
  ActivityControls,
  InstanceView,
  JoinInput,
  LaunchInput,
  PlayerChange,
} from './service/activity/activity-controls.js'
export type { LocalProgram, LocalProgramInput } from './service/local-program/local-program-controls.js'
export type { ProxyMapping } from './service/activity/proxy-mapping.js'
export type { DeviceState, VoiceState } from './service/activity/device-state.js'
export type { Invitation } from './service/activity/invitation-store.js'
export type { Entitlement, SkuInput } from './service/activity/purchase-store.js'
export type { RelationshipKind } from './service/activity/relationship-store.js'
export type { CommandBehavior } from './state/command-behavior.js'
export type { EdgeView, LimitUse, LimitView, LimitsView } from './service/limits/limits.js'
export type {
  EdgeSetting,
  HeaderMode,
  LimitName,
  LimitSetting,
  LimitsInput,
  LimitsChange,
  LimitsProfile,
} from './service/limits/settings.js'
export type { WindowKind } from './service/limits/create-window.js'
export type { LobbyBehavior } from './state/lobby-behavior.js'
export type { ServiceEvent } from './model/service-event.js'
export type {
  InteractionControls,
  Outcome,
  PressButtonInput,
  UserContext,
  SubmitModalInput,
  TypeOptionInput,
  UseCommandInput,
} from './service/interactions/interaction-controls.js'
export type { Choice as AutocompleteChoice } from './service/interactions/backend-response.js'
export type { DeliveryLogEntry, LoggedCall } from './service/interactions/delivery-log.js'
export type { UploadedFile } from './service/interactions/read-inputs.js'
export type { Message } from './service/interactions/messages.js'
export type { Input } from './service/interactions/read-inputs.js'
export type {
  GatewayControls,
  GatewayDisturbance,
  GatewayEventView,
  GatewaySessionView,
} from './service/gateway/gateway-controls.js'
export type { EventAttempt, EventControls, EventDelivery } from './service/webhooks/event-controls.js'
export type { ClockChange, ClockState } from './state/clock.js'
export { EmulatorError, type EmulatorErrorCode } from './foundation/emulator-error.js'
export type { FaultEffect, FaultRule } from './service/faults/faults.js'
export type { FaultKind } from './service/faults/apply-fault.js'
export type { LoggedRequest } from './api/request/request-log.js'
export type { ApprovalInput } from './tools/consent-driver/approve-authorization.js'
export type { DeviceApprovalInput } from './tools/consent-driver/approve-authorization.js'
export type { Snapshot } from './api/control/emulator.js'
export type { SeedInput } from './state/seed/seed.js'

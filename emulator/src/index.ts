/** foyer-emulator: a local emulator of the service that Foyer connects to. @module foyer-emulator */
export { createEmulator } from './emulator/create-emulator.js'
export type { EmulatorOptions } from './emulator/create-emulator.js'
export type { Emulator, EmulatorApplication, EmulatorUser, TokenRequest } from './emulator/emulator.js'
export type {
  AcceptedInvitation,
  ActivityControls,
  InstanceView,
  JoinInput,
  LaunchInput,
  PlayerChange,
} from './activity/activity-controls.js'
export type { ProxyMapping } from './activity/proxy-mapping.js'
export type { DeviceState, VoiceState } from './activity/device-state.js'
export type { Invitation } from './activity/invitation-store.js'
export type { Entitlement, SkuInput } from './activity/purchase-store.js'
export type { RelationshipKind } from './activity/relationship-store.js'
export type { CommandBehavior } from './context/command-behavior.js'
export type { EdgeView, LimitUse, LimitView, LimitsView } from './limits/limits.js'
export type { EdgeSetting, HeaderMode, LimitName, LimitSetting, LimitsInput, LimitsChange, LimitsProfile } from './limits/settings.js'
export type { WindowKind } from './limits/create-window.js'
export type { LobbyBehavior } from './context/lobby-behavior.js'
export type { ServiceEvent } from './model/service-event.js'
export type {
  InteractionControls,
  Outcome,
  PressButtonInput,
  UserContext,
  SubmitModalInput,
  TypeOptionInput,
  UseCommandInput,
} from './interactions/interaction-controls.js'
export type { Choice as AutocompleteChoice } from './interactions/backend-response.js'
export type { DeliveryLogEntry, LoggedCall } from './interactions/delivery-log.js'
export type { UploadedFile } from './interactions/read-inputs.js'
export type { Message } from './interactions/messages.js'
export type { Input } from './interactions/read-inputs.js'
export type { EventAttempt, EventControls, EventDelivery } from './webhooks/event-controls.js'
export type { ClockChange, ClockState } from './foundation/clock.js'
export { EmulatorError, type EmulatorErrorCode } from './foundation/emulator-error.js'
export type { FaultEffect, FaultRule } from './faults/fault-rule.js'
export type { FaultKind } from './faults/apply-fault.js'
export type { LoggedRequest } from './server/request-log.js'
export type { ApprovalInput } from './consent-driver/approve-authorization.js'
export type { DeviceApprovalInput } from './consent-driver/approve-device.js'
export type { Snapshot } from './emulator/emulator.js'
export type { SeedInput } from './seed/seed.js'

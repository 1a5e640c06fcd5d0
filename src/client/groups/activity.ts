/** `client.activity`: the embedded Activity that this page runs in. */
import { type CallOptions, bindMethods } from '../../shared/foundation/options'
import type { ActivityHost } from '../activity/activity-host'
import { type ActivityLaunch, parseLaunch } from '../activity/activity-launch'
import type { ActivityParticipant } from '../activity/read-participants'
import type { JoinOptions } from '../lobbies/lobby-requests'
import { loadOnce } from '../../shared/foundation/async'
import { loadActivity } from '../context/capabilities'
import type { ClientContext } from '../sign-in/sign-in-client'
import type { PlayerParts } from './player-parts'
import type { ActivityCalls } from './activity-calls'
import type { Lobby } from '../lobbies/lobby'

/** The Activity of this page (docs/interface/activities.md). */
export class Activity {
  readonly #context: ClientContext
  readonly #calls: () => Promise<ActivityCalls>

  /** @internal */
  constructor(context: ClientContext, player: PlayerParts) {
    this.#context = context
    this.#calls = loadOnce(async () => new (await loadActivity()).ActivityCalls(context, player))
    bindMethods(this)
  }

  /**
   * The launch parameters of the Activity, read from the address of its frame (docs/interface/activities.md#launch-parameters). Null outside
   * an Activity.
   */
  get launch(): ActivityLaunch | null {
    return parseLaunch(this.#context.options.launchQuery)
  }

  /**
   * Connects to the host window of the Activity (docs/interface/activities.md#messages). Afterwards `authorize` and `signIn` go through the
   * host, and `activityParticipants` and `activityJoin` are emitted. Connects once; later calls resolve with the same host: its commands
   * and events, and the launch parameters.
   *
   * @throws ConfigurationError `no_activity_host` outside an Activity, `missing_application_id`.
   * @throws NetworkError `timed_out` if no window of `service.activityOrigins` responds within 10 s. The log entry `activity.ignored_host`
   * contains the origin of any other window that did.
   * @throws ApiError with the host's close code as `apiCode`.
   * @example
   * ```ts
   * if (client.activity.launch) {
   *   await client.activity.connect()
   *   await client.signIn()
   *   const lobby = await client.activity.joinLobby()
   * }
   * ```
   */
  connect(options?: CallOptions): Promise<ActivityHost> {
    return this.#context.call('activity', [options], async (_, ...given) =>
      (await this.#calls()).connect(...given),
    )
  }

  /** Gets the current participants of the Activity. Connects first if necessary. Rejects like `connect`. */
  fetchParticipants(options?: CallOptions): Promise<readonly ActivityParticipant[]> {
    return this.#context.call('activity', [options], async (_, ...given) =>
      (await this.#calls()).fetchParticipants(...given),
    )
  }

  /**
   * Joins the lobby shared by all who launched this Activity instance. Requires a session. The secret is derived from the application id
   * and the instance id, and both are public: keep no secrets in this lobby.
   *
   * @throws ConfigurationError `no_activity_host`, and the errors of `createOrJoinLobby`.
   */
  joinLobby(options?: JoinOptions & CallOptions): Promise<Lobby> {
    return this.#context.call('activity', [options], async (...call) =>
      (await this.#calls()).joinLobby(...call),
    )
  }
}

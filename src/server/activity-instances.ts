/** Running Activities of the application. */
import { ApiError } from '../shared/foundation/errors'
import type { Snowflake } from '../shared/foundation/ids'
import { checkOptions } from '../shared/foundation/options'
import { pattern, type Rule } from '../shared/foundation/rules'
import { checkResponse, ID, type FieldRule, TEXT } from '../shared/http/check-response'
import type { LimitedApi } from '../shared/http/limited-api'
import { requireArgument } from './argument-issues'

const ROUTE = '/applications/{application.id}/activity-instances/{instance.id}'

/** Running Activity, with its participants. */
export interface ActivityInstanceDetails {
  /** Id that every participant has as `instanceId` in its launch parameters. */
  readonly instance_id: string
  /** Participants at the moment. */
  readonly users: readonly Snowflake[]
  /** Location of the Activity: `gc` in a guild channel, `pc` in a private one. */
  readonly location: {
    readonly id: string
    readonly kind: string
    readonly channel_id: Snowflake
    readonly guild_id?: Snowflake
  }
}

const INSTANCE: FieldRule<ActivityInstanceDetails> = {
  fields: { instance_id: TEXT, users: { list: ID }, location: { fields: { channel_id: ID } } },
}

const INSTANCE_ID: Rule = { is: pattern, pattern: /^[\w-]{1,128}$/, expected: 'an instance id' }

/** Reads running Activities. Requires a bot token. */
export interface ActivityInstances {
  /**
   * Reads an Activity by its instance id; a check that a player who claims to take part in it does. Resolves with null if there is none, or
   * everybody has left it (_assumed_).
   *
   * @throws ValidationError `invalid_argument`. @throws RateLimitError, ApiError, NetworkError or ProtocolError.
   */
  get(
    instanceId: string,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<ActivityInstanceDetails | null>
}

export function createActivityInstances({
  api,
  applicationId,
}: Pick<LimitedApi, 'api'> & { applicationId: string }): ActivityInstances {
  return {
    async get(instanceId, options) {
      const { signal } = checkOptions(options, ['signal'])
      requireArgument(instanceId, 'instanceId', INSTANCE_ID)
      const ids = { 'application.id': applicationId, 'instance.id': instanceId }
      try {
        return checkResponse(
          (await api.send({ method: 'GET', route: ROUTE, ids, signal })).body,
          `GET ${ROUTE}`,
          INSTANCE,
        )
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
  }
}

/** Bodies of requests about provisional accounts and child applications. */
import { nullish, object, text } from './schema.js'

const needed = (most: number) => text({ least: 1, most })
const given = (most: number) => nullish(needed(most))

/** An account of another provider, with the application that asks. */
export const externalAccountBody = object({
  client_id: needed(64),
  client_secret: given(1024),
  external_auth_type: needed(100),
  external_auth_token: needed(10_240),
})

/** An account that the application names itself. */
export const botAccountBody = object({
  external_user_id: needed(1024),
  preferred_global_name: given(32),
  provisional_user_id: given(20),
})

export const childTokenBody = object({
  parent_access_token: needed(10_240),
  child_application_id: needed(20),
  parent_client_secret: given(1024),
})

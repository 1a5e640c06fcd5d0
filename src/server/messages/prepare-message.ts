/** Converts a message of a game to the fields and files that are sent, after validation. */
import { CheckedBody } from '../../shared/http/checked-body'
import type { MessageData } from '../../shared/wire/interaction-response'
import { ownFields } from '../../shared/foundation/untrusted-values'
import type { AttachmentData } from '../../shared/wire/message-parts'
import type { FilePart } from './encode-body'
import { bytesOfFile, type MessageFile } from './file-data'
import {
  COMPONENTS_V2,
  EPHEMERAL,
  usesComponentsV2,
  validateMessage,
  type ValidateMessageOptions,
} from './validate-message'

/** A message as a game writes it. */
export interface MessageInput extends MessageData {
  /** Shows the message to the user only. Default: false. */
  ephemeral?: boolean | undefined
  /** Files to send, at most 10. An edit keeps earlier files only if `attachments` names them. */
  files?: readonly MessageFile[] | null | undefined
}

/** A message in the service's format, with its files. */
export interface PreparedMessage {
  readonly body: CheckedBody<MessageData>
  readonly files: readonly FilePart[]
}

/**
 * Validates a message, and sets its flags. Its files are bytes or strings: see `readBlobs`.
 * @throws ValidationError `invalid_body` with all issues.
 */
export function prepareMessage(
  input: MessageInput | string,
  options: ValidateMessageOptions = {},
): PreparedMessage {
  let files: readonly MessageFile[] = []
  const body = CheckedBody.of(input, {
    check: (own) => validateMessage(own, options),
    write: (own: MessageInput | string) => {
      if (typeof own !== 'string') files = ownFields(own).files ?? []
      return write(own)
    },
  })
  return {
    body,
    files: files.map(({ name, data }) => ({ name, bytes: bytesOfFile(data) ?? new Uint8Array() })),
  }
}

/** The fields of a checked message, with its flags, and with a description of each file. */
function write(message: MessageInput | string): MessageData {
  if (typeof message === 'string') return { content: message }
  const { ephemeral, files, ...rest } = ownFields(message)
  const data = ownFields(rest)
  const list = files ?? []
  const flags =
    (data.flags ?? 0) | (ephemeral ? EPHEMERAL : 0) | (usesComponentsV2({ ...data }) ? COMPONENTS_V2 : 0)
  return {
    ...data,
    ...(flags !== (data.flags ?? 0) && { flags }),
    ...(list.length > 0 && { attachments: describeFiles(list, data.attachments ?? []) }),
  }
}

/** Every file has a description with its name; those that the game wrote stay, as do those of earlier attachments. */
function describeFiles(files: readonly MessageFile[], given: readonly AttachmentData[]): AttachmentData[] {
  const described = files.map(({ name, description }, id): AttachmentData => {
    const own = given.find((each) => String(each.id) === String(id))
    return { id, filename: name, ...(description !== undefined && { description }), ...own }
  })
  return [...described, ...given.filter(({ id }) => Number(id) >= files.length)]
}

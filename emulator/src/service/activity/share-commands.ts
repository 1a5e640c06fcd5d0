/** Commands that share something with others, or lead out of the Activity: links, media, interactions, images. */
import { maySend, visibleChannels, type VisibleChannel } from '../guilds/visible-channels.js'
import { invalidPayload, optionalText, requireText, type CommandContext } from './check-access.js'
import type { Dialog } from './host-dialogs.js'
import type { QuickLink } from './quick-link-store.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'

const CANCEL = { value: 'cancel', label: 'Cancel' }
const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp'

export async function shareLink(args: Record<string, unknown>, command: CommandContext) {
  const message = requireText(args, 'message', 1000)
  const customId = optionalText(args, 'custom_id', 64)
  const linkId = optionalText(args, 'link_id', 64)
  const { session, rpc, context } = command
  const { player } = session.place
  const quick = linkId === undefined ? undefined : rpc.stores.quickLinks.find(linkId)
  if (linkId !== undefined && quick === undefined)
    throw invalidPayload('link_id is of no link, or of one that is over')
  const parameters = { custom_id: customId ?? quick?.customId, link_id: linkId, referrer_id: player.id }
  const link = rpc.linkOf(parameters)
  const { action, choices } = await rpc.ask(session, {
    title: `Share ${context.seed.application.name}`,
    text: message,
    copy: link,
    ...channelChoices(command),
    actions: [{ value: 'send', label: 'Send' }, { value: 'copy', label: 'Copy link' }, CANCEL],
  })
  if (action === 'send')
    for (const channelId of choices)
      rpc.post({
        channelId,
        author: player,
        content: message,
        more: { activity_link: { ...parameters, ...lookOf(quick) } },
      })
  const didSendMessage = action === 'send' && choices.length > 0
  return { success: didSendMessage || action === 'copy', didCopyLink: action === 'copy', didSendMessage }
}

/** Title and picture in the chat, until the link is over. */
function lookOf(quick: QuickLink | undefined) {
  if (quick === undefined) return {}
  const { title, description, image, expiresAt } = quick
  return { title, description, image, expires_at: expiresAt }
}

export async function shareInteraction(args: Record<string, unknown>, command: CommandContext) {
  const name = requireText(args, 'command', 32)
  const content = optionalText(args, 'content', 2000)
  const { session, rpc } = command
  const only = args['require_launch_channel'] === true ? session.place.instance.location.channelId : undefined
  const { action, choices } = await rpc.ask(session, {
    title: `Share /${name}`,
    text: content ?? 'Shares the result of this command in a channel.',
    ...channelChoices(command, only),
    actions: [{ value: 'send', label: 'Send' }, CANCEL],
  })
  if (action !== 'send' || choices.length === 0) return { success: false }
  for (const channelId of choices)
    rpc.post({ channelId, author: session.place.player, content: content ?? `/${name}` })
  return { success: true }
}

/** Opens the dialog and answers at once; the message follows. */
export function openShareMomentDialog(args: Record<string, unknown>, command: CommandContext): null {
  const mediaUrl = requireText(args, 'mediaUrl')
  const { session, rpc } = command
  if (!rpc.isOwnFile(mediaUrl)) throw invalidPayload('mediaUrl must be a URL of the service’s own file host')
  const dialog: Dialog = {
    title: 'Share a moment',
    text: mediaUrl,
    ...channelChoices(command),
    actions: [{ value: 'send', label: 'Send' }, CANCEL],
  }
  void sendWhenChosen()
  return null

  async function sendWhenChosen(): Promise<void> {
    const { action, choices } = await rpc.ask(session, dialog)
    if (action === 'send')
      for (const channelId of choices)
        rpc.post({ channelId, author: session.place.player, content: mediaUrl })
  }
}

export async function openExternalLink(args: Record<string, unknown>, { session, rpc }: CommandContext) {
  const url = URL.parse(requireText(args, 'url', 2048))
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidPayload('url must begin with https: or http:')
  const { action } = await rpc.ask(session, {
    title: 'Leaving the Activity',
    text: url.href,
    actions: [{ value: 'open', label: 'Open' }, CANCEL],
  })
  return { opened: action === 'open' }
}

export async function initiateImageUpload(_args: unknown, { session, rpc }: CommandContext) {
  const { action, file } = await rpc.ask(session, {
    title: 'Upload an image',
    text: 'The game gets the address of the image.',
    file: IMAGE_TYPES,
    actions: [{ value: 'upload', label: 'Upload' }, CANCEL],
  })
  if (action !== 'upload' || file === undefined)
    throw new RpcError(ERROR_CODE.unknown, 'the player chose no image')
  if (!IMAGE_TYPES.split(',').includes(file.type)) throw invalidPayload('the file is no image')
  return { image_url: rpc.keepImage(file) }
}

/** Channels in which the player may send messages. */
function channelChoices(
  { session, context }: CommandContext,
  only?: string,
): Pick<Dialog, 'choices' | 'multiple'> {
  const { player } = session.place
  const open = visibleChannels(player, context).filter(
    (location) => (only === undefined || location.id === only) && maySend(player, location),
  )
  return {
    choices: open.map((location) => ({ value: location.id, label: labelOf(location) })),
    multiple: true,
  }
}

function labelOf(location: VisibleChannel): string {
  if (location.kind === 'guild') return `#${location.channel.name} (${location.guild.name})`
  return location.with === undefined
    ? 'messages with the app'
    : `messages with ${location.with.globalName ?? location.with.username}`
}

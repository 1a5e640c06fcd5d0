/** Embed of a message, whole: color, author, title, description, fields, thumbnail, image and footer. */
import { localeOf, useChat, webAddress } from '../shared/chat-context.js'
import { Markdown } from '../markdown/markdown.js'
import { formatted } from '../markdown/timestamp.js'
import { listOf, type EmbedData } from '../shared/wire-parts.js'
import { Picture, SmallPicture } from './attachments.js'

export function Embed({ embed }: { embed: EmbedData }) {
  const { author, title, url, description, thumbnail, image } = embed
  return (
    <article class="embed" style={colorOf(embed.color)} aria-label={title ?? author?.name ?? 'Embed'}>
      <div class="embed-words">
        {author?.name && (
          <p class="embed-author">
            <SmallPicture url={author.icon_url} />
            <Linked url={author.url} text={author.name} />
          </p>
        )}
        {title && (
          <div class="embed-title">
            {webAddress(url) === undefined ? <Markdown text={title} /> : <Linked url={url} text={title} />}
          </div>
        )}
        {description && <Markdown text={description} />}
        <Fields fields={listOf(embed.fields)} />
      </div>
      {thumbnail?.url && <Picture url={thumbnail.url} class="thumbnail" />}
      {image?.url && <Picture url={image.url} class="large" />}
      <Footer embed={embed} />
    </article>
  )
}

/** Sets the color that the style sheet uses, of an embed or container. */
export function colorOf(color: number | null | undefined): Record<string, string> {
  if (typeof color !== 'number') return {}
  return { '--embed': `#${(color & 0xff_ff_ff).toString(16).padStart(6, '0')}` }
}

function Linked({ url, text }: { url: string | undefined; text: string }) {
  const address = webAddress(url)
  if (address === undefined) return <bdi>{text}</bdi>
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer">
      <bdi>{text}</bdi>
    </a>
  )
}

function Fields({ fields }: { fields: NonNullable<EmbedData['fields']> }) {
  if (fields.length === 0) return null
  return (
    <dl class="fields-of-embed">
      {fields.map(({ name, value, inline }) => (
        <div class={inline ? 'inline' : ''}>
          <dt>
            <Markdown text={name} />
          </dt>
          <dd>
            <Markdown text={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Footer({ embed: { footer, timestamp } }: { embed: EmbedData }) {
  const locale = localeOf(useChat())
  const moment = new Date(timestamp ?? Number.NaN)
  const isDated = !Number.isNaN(moment.getTime())
  if (!footer?.text && !isDated) return null
  return (
    <p class="embed-footer">
      <SmallPicture url={footer?.icon_url} />
      <span>
        {footer?.text && <bdi>{footer.text}</bdi>}
        {footer?.text && isDated && ' • '}
        {isDated && <time datetime={moment.toISOString()}>{formatted(moment, 'f', locale)}</time>}
      </span>
    </p>
  )
}

/** Opinion of the public builders about a message or a modal: embeds, components of both versions, and forms. They know no other rules. */
import {
  ComponentAssertions as component,
  ComponentsV2Assertions as version2,
  EmbedAssertions as embeds,
  LabelAssertions,
  ModalAssertions,
  SelectMenuAssertions as selects,
  TextInputAssertions as inputs,
} from '@discordjs/builders'

type Fields = Readonly<Record<string, unknown>>

/** True if no builder refuses the body. */
export function isAccepted(kind: string, body: unknown): boolean {
  try {
    if (kind === 'modal') checkModal(fieldsOf(body))
    else checkMessage(fieldsOf(body))
    return true
  } catch {
    return false
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('no object')
  return value as Fields
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw new TypeError('no list')
  return value
}

/** Checks the fields that are there: a builder is called for those alone. */
function each(fields: Fields, checks: Readonly<Record<string, (value: never) => unknown>>): void {
  for (const [name, check] of Object.entries(checks))
    if (fields[name] !== undefined) check(fields[name] as never)
}

const parsed = (validator: { parse: (value: unknown) => unknown }) => (value: unknown) =>
  validator.parse(value)

function checkMessage({ embeds: given, components }: Fields): void {
  for (const one of listOf(given)) checkEmbed(fieldsOf(one))
  for (const one of listOf(components)) checkComponent(fieldsOf(one))
}

function checkEmbed(embed: Fields): void {
  each(embed, {
    title: parsed(embeds.titlePredicate),
    description: parsed(embeds.descriptionPredicate),
    url: parsed(embeds.urlPredicate),
    color: parsed(embeds.colorPredicate),
    timestamp: (text) => embeds.timestampPredicate.parse(new Date(text)),
    image: (image) => embeds.imageURLPredicate.parse(fieldsOf(image)['url']),
    thumbnail: (image) => embeds.imageURLPredicate.parse(fieldsOf(image)['url']),
    footer: (footer) =>
      embeds.embedFooterPredicate.parse({
        text: fieldsOf(footer)['text'],
        iconURL: fieldsOf(footer)['icon_url'],
      }),
    author: (author) =>
      embeds.embedAuthorPredicate.parse({
        name: fieldsOf(author)['name'],
        url: fieldsOf(author)['url'],
        iconURL: fieldsOf(author)['icon_url'],
      }),
    fields: (fields) => {
      embeds.embedFieldsArrayPredicate.parse(fields)
      embeds.fieldLengthPredicate.parse(listOf(fields).length)
    },
  })
}

const SELECTS: Readonly<Record<number, { parse: (value: unknown) => unknown }>> = {
  3: selects.selectMenuStringPredicate,
  5: selects.selectMenuUserPredicate,
  6: selects.selectMenuRolePredicate,
  7: selects.selectMenuMentionablePredicate,
  8: selects.selectMenuChannelPredicate,
}

function checkComponent(given: Fields): void {
  const { type, id, components } = given
  if (id !== undefined) component.idValidator.parse(id)
  const select = SELECTS[Number(type)]
  if (select) select.parse(given)
  else if (type === 2) checkButton(given)
  else checkLayout(given)
  for (const inner of listOf(components)) checkComponent(fieldsOf(inner))
}

function checkButton(button: Fields): void {
  each(button, {
    style: parsed(component.buttonStyleValidator),
    label: parsed(component.buttonLabelValidator),
    emoji: parsed(component.emojiValidator),
    custom_id: parsed(component.customIdValidator),
    url: parsed(component.urlValidator),
    disabled: parsed(component.disabledValidator),
  })
  const { style, label, emoji, custom_id: customId, sku_id: sku, url } = button as Record<string, never>
  component.validateRequiredButtonParameters(style, label, emoji, customId, sku, url)
}

function checkMedia(media: unknown): void {
  version2.unfurledMediaItemPredicate.parse(media)
}

const CAPTIONED = {
  media: checkMedia,
  description: parsed(version2.descriptionPredicate),
  spoiler: parsed(version2.spoilerPredicate),
}

function checkLayout(given: Fields): void {
  if (given['type'] === 10) version2.textDisplayContentPredicate.parse(given['content'])
  else if (given['type'] === 9) checkComponent(fieldsOf(given['accessory']))
  else if (given['type'] === 11) each(given, CAPTIONED)
  else if (given['type'] === 12) for (const item of listOf(given['items'])) each(fieldsOf(item), CAPTIONED)
  else if (given['type'] === 13) version2.filePredicate.parse(given['file'])
  else if (given['type'] === 14)
    each(given, { divider: parsed(version2.dividerPredicate), spacing: parsed(version2.spacingPredicate) })
  else if (given['type'] === 17)
    each(given, {
      accent_color: parsed(version2.containerColorPredicate),
      spoiler: parsed(version2.spoilerPredicate),
    })
  else if (given['type'] !== 1) throw new TypeError('unknown type')
}

function checkModal({ title, custom_id: customId, components }: Fields): void {
  ModalAssertions.titleValidator.parse(title)
  component.customIdValidator.parse(customId)
  if (!Array.isArray(components) || components.length === 0) throw new TypeError('no parts')
  for (const part of listOf(components).map(fieldsOf)) {
    if (part['type'] === 18) LabelAssertions.labelPredicate.parse(part)
    else if (part['type'] === 10) version2.textDisplayContentPredicate.parse(part['content'])
    else if (part['type'] === 1) listOf(part['components']).map(fieldsOf).forEach(checkInput)
    else throw new TypeError('unknown type')
  }
}

function checkInput(input: Fields): void {
  inputs.textInputPredicate.parse(input)
  inputs.labelValidator.parse(input['label'])
}

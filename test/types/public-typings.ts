/** Values of the public typings are messages and modals without a cast, and misspelt fields do not compile; checked by `tsc -p tsconfig.json`. */
import type {
  APIActionRowComponent,
  APIAllowedMentions,
  APIComponentInMessageActionRow,
  APIEmbed,
  APIInteractionResponseCallbackData,
  APIMessageTopLevelComponent,
  APIModalInteractionResponseCallbackData,
  RESTAPIPoll,
} from 'discord-api-types/v10'
import type { ComponentInteraction, TextInput } from 'foyer-sdk/server'

interface Public {
  embed: APIEmbed
  mentions: APIAllowedMentions
  row: APIActionRowComponent<APIComponentInMessageActionRow>
  component: APIMessageTopLevelComponent
  poll: RESTAPIPoll
  data: APIInteractionResponseCallbackData
  modal: APIModalInteractionResponseCallbackData
}

export async function answer(
  interaction: ComponentInteraction,
  { embed, mentions, row, component, poll, data, modal }: Public,
) {
  await interaction.reply({ embeds: [embed], allowed_mentions: mentions, components: [row, component], poll })
  await interaction.followUp(data)
  await interaction.update({ components: [row] })
  await interaction.showModal(modal)
  await interaction.reply({
    // @ts-expect-error `lable` is no field of a button.
    components: [{ type: 1, components: [{ type: 2, style: 1, custom_id: 'a', lable: 'x' }] }],
  })
  await interaction.reply({
    // @ts-expect-error `acent_color` is no field of a container.
    components: [{ type: 17, acent_color: 1, components: [{ type: 10, content: 'x' }] }],
  })
  await interaction.reply({
    components: [
      // @ts-expect-error A link button has no custom_id.
      { type: 1, components: [{ type: 2, style: 5, url: 'https://game.example', custom_id: 'a' }] },
    ],
  })
  // @ts-expect-error `footnote` is no field of an embed.
  await interaction.followUp({ embeds: [{ title: 'x', footnote: 'y' }] })
  await interaction.showModal({
    custom_id: 'a',
    title: 'b',
    // @ts-expect-error A modal has no buttons.
    components: [{ type: 2, style: 1, custom_id: 'c' }],
  })
  // @ts-expect-error `requird` is no field of a text input.
  const misspelt: TextInput = { type: 4, style: 1, custom_id: 'd', requird: true }
  await interaction.showModal({
    custom_id: 'a',
    title: 'b',
    components: [{ type: 18, label: 'c', component: misspelt }],
  })
}

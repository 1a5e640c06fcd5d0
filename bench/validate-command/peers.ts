/** The same rules, as far as they can be expressed, in schema libraries and in a builder. Cross-field rules are left out: none of them has any. */
import { SlashCommandBuilder, type SlashCommandSubcommandBuilder } from '@discordjs/builders'
import * as v from 'valibot'
import * as z from 'zod'
import type { Body } from './bodies'

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u
const isLower = (text: string): boolean => text.toLowerCase() === text

type Check = (body: Body) => boolean

export function zodCheck(): Check {
  const name = z.string().regex(NAME).refine(isLower)
  const description = z.string().min(1).max(100)
  const choice = z.object({
    name: z.string().min(1).max(100),
    name_localizations: z.record(z.string(), z.string().min(1).max(100)).nullish(),
    value: z.union([z.string().max(100), z.number()]),
  })
  const texts = {
    name,
    name_localizations: z.record(z.string(), name).nullish(),
    description,
    description_localizations: z.record(z.string(), description).nullish(),
  }
  const parameter = z.object({
    type: z.number().int().min(1).max(11),
    ...texts,
    required: z.boolean().optional(),
    choices: z.array(choice).max(25).optional(),
    min_value: z.number().optional(),
    max_value: z.number().optional(),
    min_length: z.number().int().min(0).max(6000).optional(),
    max_length: z.number().int().min(1).max(6000).optional(),
    channel_types: z.array(z.number().int()).optional(),
    autocomplete: z.boolean().optional(),
  })
  const subcommand = parameter.extend({ options: z.array(parameter).max(25).optional() })
  const command = z.object({
    type: z.literal([1, 2, 3, 4]).optional(),
    ...texts,
    options: z
      .array(subcommand.extend({ options: z.array(subcommand).max(25).optional() }))
      .max(25)
      .optional(),
    default_member_permissions: z.string().regex(/^\d+$/).nullish(),
    nsfw: z.boolean().optional(),
    contexts: z.array(z.number().int()).nullish(),
    integration_types: z.array(z.number().int()).optional(),
  })
  return (body) => command.safeParse(body).success
}

export function valibotCheck(): Check {
  const name = v.pipe(v.string(), v.regex(NAME), v.check(isLower))
  const description = v.pipe(v.string(), v.minLength(1), v.maxLength(100))
  const choice = v.object({
    name: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
    name_localizations: v.nullish(v.record(v.string(), v.pipe(v.string(), v.minLength(1), v.maxLength(100)))),
    value: v.union([v.pipe(v.string(), v.maxLength(100)), v.number()]),
  })
  const texts = {
    name,
    name_localizations: v.nullish(v.record(v.string(), name)),
    description,
    description_localizations: v.nullish(v.record(v.string(), description)),
  }
  const fields = {
    type: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(11)),
    ...texts,
    required: v.optional(v.boolean()),
    choices: v.optional(v.pipe(v.array(choice), v.maxLength(25))),
    min_value: v.optional(v.number()),
    max_value: v.optional(v.number()),
    min_length: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(6000))),
    max_length: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(6000))),
    channel_types: v.optional(v.array(v.pipe(v.number(), v.integer()))),
    autocomplete: v.optional(v.boolean()),
  }
  const parameter = v.object(fields)
  const subcommand = v.object({ ...fields, options: v.optional(v.pipe(v.array(parameter), v.maxLength(25))) })
  const option = v.object({ ...fields, options: v.optional(v.pipe(v.array(subcommand), v.maxLength(25))) })
  const command = v.object({
    type: v.optional(v.picklist([1, 2, 3, 4])),
    ...texts,
    options: v.optional(v.pipe(v.array(option), v.maxLength(25))),
    default_member_permissions: v.nullish(v.pipe(v.string(), v.regex(/^\d+$/))),
    nsfw: v.optional(v.boolean()),
    contexts: v.nullish(v.array(v.pipe(v.number(), v.integer()))),
    integration_types: v.optional(v.array(v.pipe(v.number(), v.integer()))),
  })
  return (body) => v.safeParse(command, body).success
}

/** A builder validates while it builds: the whole command is assembled from the body. */
export function builderCheck(): Check {
  return (body) => {
    const command = new SlashCommandBuilder().setName(body.name).setDescription(body.description)
    for (const option of body.options ?? []) {
      if (option.type === 1) command.addSubcommand((subcommand) => fill(subcommand, option))
      else if (option.type === 6)
        command.addUserOption((user) => described(user, option).setRequired(option.required ?? false))
      else command.addStringOption((text) => described(text, option).setRequired(option.required ?? false))
    }
    return command.toJSON().name === body.name
  }
}

function fill(subcommand: SlashCommandSubcommandBuilder, body: Body): SlashCommandSubcommandBuilder {
  described(subcommand, body)
  for (const option of body.options ?? []) {
    subcommand.addStringOption((text) => {
      described(text, option)
      return option.choices ? text.addChoices(...option.choices) : text
    })
  }
  return subcommand
}

interface Described {
  setName(name: string): this
  setDescription(description: string): this
  setNameLocalizations(texts: Record<string, string> | null): this
  setDescriptionLocalizations(texts: Record<string, string> | null): this
}

function described<T extends Described>(builder: T, body: Body): T {
  return builder
    .setName(body.name)
    .setDescription(body.description)
    .setNameLocalizations(body.name_localizations ?? null)
    .setDescriptionLocalizations(body.description_localizations ?? null)
}

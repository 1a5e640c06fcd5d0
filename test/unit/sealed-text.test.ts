/** Texts that a backend seals: they open in their place alone, and with each key of the list. */
import { keyOf } from '../support/key-of'
import { CompactEncrypt } from 'jose'
import { expect, it } from 'vitest'
import { createSeal } from '../support/internals'
import { codeOf } from '../support/settle'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]

it('a text opens in its place, and in no other', async () => {
  const sealing = createSeal([NEW])
  const sealed = await sealing.seal(keyOf('cookie'), 'the text')
  expect([await sealing.open(keyOf('cookie'), sealed), await sealing.open(keyOf('record'), sealed)]).toEqual([
    'the text',
    undefined,
  ])
})

it('a replaced key opens what it sealed, and a removed one nothing', async () => {
  const sealed = await createSeal([OLD]).seal(keyOf('cookie'), 'the text')
  expect(await createSeal([NEW, OLD]).open(keyOf('cookie'), sealed)).toBe('the text')
  expect(await createSeal([NEW]).open(keyOf('cookie'), sealed)).toBeUndefined()
})

it('what jose encrypts with another key or algorithm does not open', async () => {
  const sealing = createSeal([NEW])
  const [header] = (await sealing.seal(keyOf('cookie'), 'x')).split('.')
  const known = JSON.parse(Buffer.from(header ?? '', 'base64url').toString()) as {
    kid: string
    alg: string
    enc: string
  }
  expect(known).toMatchObject({ alg: 'dir', enc: 'A256GCM' })
  const forged = (alg: string, enc: string, bytes: number) =>
    new CompactEncrypt(new TextEncoder().encode('forged'))
      .setProtectedHeader({ ...known, alg, enc })
      .encrypt(new Uint8Array(bytes))
  for (const each of [
    await forged('dir', 'A256GCM', 32),
    await forged('dir', 'A128CBC-HS256', 32),
    await forged('A256KW', 'A256GCM', 32),
  ])
    expect(await sealing.open(keyOf('cookie'), each)).toBeUndefined()
})

it.each([[[]], [['short']], [undefined], ['x'.repeat(40)]])('keys %j are refused', async (keys) => {
  expect(await codeOf(() => createSeal(keys as never))).toBe('invalid_argument')
})

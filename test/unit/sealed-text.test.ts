/** Texts that a backend seals: they open for their purpose alone, and with each key of the list. */
import { CompactEncrypt } from 'jose'
import { expect, it } from 'vitest'
import { createSeal } from '../support/internals'
import { codeOf } from '../support/settle'

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)]

it('a text opens for its purpose, and for no other', async () => {
  const sealing = createSeal([NEW])
  const sealed = await sealing.seal('cookie', 'the text')
  expect([await sealing.open('cookie', sealed), await sealing.open('record', sealed)]).toEqual(['the text', undefined])
})

it('a replaced key opens what it sealed, and a removed one nothing', async () => {
  const sealed = await createSeal([OLD]).seal('cookie', 'the text')
  expect(await createSeal([NEW, OLD]).open('cookie', sealed)).toBe('the text')
  expect(await createSeal([NEW]).open('cookie', sealed)).toBeUndefined()
})

it('what jose encrypts with another key or algorithm does not open', async () => {
  const sealing = createSeal([NEW])
  const [header] = (await sealing.seal('cookie', 'x')).split('.')
  const known = JSON.parse(Buffer.from(header ?? '', 'base64url').toString()) as { kid: string; alg: string; enc: string }
  expect(known).toMatchObject({ alg: 'dir', enc: 'A256GCM' })
  const forged = (alg: string, enc: string, bytes: number) =>
    new CompactEncrypt(new TextEncoder().encode('forged')).setProtectedHeader({ ...known, alg, enc }).encrypt(new Uint8Array(bytes))
  for (const each of [await forged('dir', 'A256GCM', 32), await forged('dir', 'A128CBC-HS256', 32), await forged('A256KW', 'A256GCM', 32)])
    expect(await sealing.open('cookie', each)).toBeUndefined()
})

it.each([[[]], [['short']], [undefined], ['x'.repeat(40)]])('keys %j are refused', async (keys) => {
  expect(await codeOf(() => createSeal(keys as never))).toBe('invalid_argument')
})

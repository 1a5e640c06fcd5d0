/** One field of the service settings. */
import type { ServiceField } from '../game/service-settings'
import { Field, type FieldOptions } from 'kit/field'
import { useDemo } from '../context/use-demo'

type FieldWords = Pick<FieldOptions, 'label' | 'hint'> & Partial<Pick<FieldOptions, 'placeholder' | 'required' | 'type'>>

const WORDS: Record<ServiceField, FieldWords> = {
  host: { label: 'Host', hint: 'Base address of the service.', placeholder: 'https://service.example', required: true, type: 'url' },
  applicationId: {
    label: 'Application id',
    hint: 'Your application’s number at the service.',
    placeholder: '1234567890123456789',
    required: true,
  },
  redirectUri: {
    label: 'Redirect URI',
    hint: 'Registered at the service. Empty: callback.html for a popup, this page for a redirect.',
    type: 'url',
  },
  baseUrl: { label: 'Base URL', hint: 'Root of its API.', placeholder: 'host + /api/v10', type: 'url' },
  authorizeUrl: { label: 'Authorize URL', hint: 'Consent page for the player.', placeholder: 'host + /oauth2/authorize', type: 'url' },
  tokenUrl: {
    label: 'Token URL',
    hint: 'Redeems codes; must allow this origin (CORS).',
    placeholder: 'base URL + /oauth2/token',
    type: 'url',
  },
  keysUrl: { label: 'Keys URL', hint: 'Public keys of ID tokens (JWKS).', placeholder: 'base URL + /oauth2/keys', type: 'url' },
  revokeUrl: { label: 'Revoke URL', hint: 'Revokes tokens.', placeholder: 'base URL + /oauth2/token/revoke', type: 'url' },
  deviceUrl: { label: 'Device URL', hint: 'Issues device codes.', placeholder: 'base URL + /oauth2/device/authorize', type: 'url' },
  issuer: { label: 'Issuer', hint: 'The iss of ID tokens, compared exactly.', placeholder: 'host', type: 'url' },
}

interface Props {
  name: ServiceField
  fault: string | undefined
}

export function ServiceAddress({ name, fault }: Props) {
  const { service } = useDemo()
  const change = (value: string) => (service.value = { ...service.value, [name]: value })
  return <Field id={`service-${name}`} {...WORDS[name]} value={service.value[name] ?? ''} fault={fault} onInput={change} />
}

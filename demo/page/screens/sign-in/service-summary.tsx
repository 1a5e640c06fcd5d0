/** Line of the sign-in screen that names the chosen service, and links to its settings. */
import { explain } from '../../game/explain'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

export function ServiceSummary() {
  const { address, connection } = useDemo()
  const { error } = connection.value
  const link = (
    <a href={address.linkTo('service')} class="tool-link">
      Change the service
    </a>
  )
  return (
    <Panel id="service-summary" title="Service" tools={link}>
      <ServiceName />
      <p class="fault" role="status">
        {error && (
          <>
            <Icon name="warning" />
            {`${explain(error).code}: ${explain(error).advice}`}
          </>
        )}
      </p>
    </Panel>
  )
}

function ServiceName() {
  const { preset, service, services } = useDemo()
  const { kind, host, saved } = service.value
  const name = services.saved.value.find(({ id }) => id === saved)?.name
  const shown =
    kind === 'emulator'
      ? { name: preset?.name ?? 'Emulator', host: preset?.host }
      : { name: name ?? 'Another service', host }
  return (
    <p class="service-summary">
      <strong>{shown.name}</strong> at <code>{shown.host || 'no host yet'}</code>
    </p>
  )
}

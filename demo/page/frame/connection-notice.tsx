/** Notices above every screen: the service does not answer, or it is back, and a link that names another service. */
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ServiceSettings } from '../game/service-settings'
import type { Reach } from '../game/watch-service'
import { onChange } from '../foundation/on-change'
import { Icon } from 'kit/icon'
import { useDemo } from '../context/use-demo'

const LOST = 'does not answer. What you typed is kept, and this page goes on by itself when it is back.'
const RESTARTED =
  'The emulator was started again: sessions, lobbies and commands of before are gone. What you typed is kept.'
const BACK = 'The service answers again.'

interface Notice {
  reach: Reach
  /** Name of the service at the time of the change. */
  name: string
}

export function ConnectionNotice() {
  return (
    <>
      <ReachNotice />
      <OfferedService />
    </>
  )
}

/** A link names another service than the chosen one. */
function OfferedService() {
  const { services } = useDemo()
  const offered = services.offered.value
  return (
    <div id="offered-service" class="connection" data-reach="offered" hidden={!offered}>
      <p role="alert">
        {offered && (
          <Words
            icon="warning"
            text={`This link is for another service: ${offered.name}. It was not chosen.`}
          />
        )}
      </p>
      <div class="buttons">
        <button type="button" class="secondary" onClick={() => offered && services.choose(offered.key)}>
          Use it
        </button>
        <button type="button" class="quiet" onClick={() => (services.offered.value = undefined)}>
          Stay
        </button>
      </div>
    </div>
  )
}

function ReachNotice() {
  const { reach, service } = useDemo()
  const [notice, setNotice] = useState<Notice>()
  useLayoutEffect(
    () => onChange(reach, (now) => setNotice({ reach: now, name: nameOf(service.value) })),
    [reach, service],
  )
  const isLost = notice?.reach === 'lost'
  return (
    <div id="connection" class="connection" data-reach={notice?.reach} hidden={!notice}>
      <p role="alert">{isLost && <Words icon="warning" text={`${notice.name} ${LOST}`} />}</p>
      <p role="status">
        {notice && !isLost && <Words icon="check" text={notice.reach === 'restarted' ? RESTARTED : BACK} />}
      </p>
      <button type="button" class="quiet" hidden={isLost} onClick={() => setNotice(undefined)}>
        Dismiss
      </button>
    </div>
  )
}

function Words({ icon, text }: { icon: 'warning' | 'check'; text: string }) {
  return (
    <>
      <Icon name={icon} />
      {text}
    </>
  )
}

function nameOf({ kind, host = 'The service' }: ServiceSettings): string {
  return kind === 'emulator' ? 'The emulator' : host
}

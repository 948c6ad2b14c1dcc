// How the person is notified: for each kind, in the inbox only or by email too, and when.
import {
  type NotificationKind,
  type NotificationWay,
  notificationKinds,
  notificationWays,
} from '@rapport/contract/notifications.values'
import { rightsOf } from '@rapport/contract/roles'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import {
  isDesktopBlocked,
  isDesktopOn,
  isDesktopPossible,
  setDesktop,
} from '../../parts/notifications/desktop.ts'
import { Check } from '../../ui/check.tsx'
import { formatTimeOfDay } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { notifications as said } from '../../words/notifications.ts'
import { settings } from '../../words/settings.ts'
import { type Part, PartState } from './part-state.tsx'
import css from './settings.module.css'

const settingsQuery = queryOptions({
  queryKey: ['notification settings'],
  queryFn: ({ signal }) => call('GET /notifications/settings', { signal }),
})

async function change(body: Body<'PATCH /notifications/settings'>): Promise<void> {
  const { queryKey } = settingsQuery
  try {
    client.setQueryData(queryKey, await call('PATCH /notifications/settings', { body }))
  } catch (error) {
    tellFault(words.faults.notSaved(settings.parts.notifications), error)
    await client.invalidateQueries({ queryKey })
  }
}

const hours = Array.from({ length: 24 }, (_, hour) => [`${hour}`, formatTimeOfDay(hour)] as const)
/** What quiet hours end with that begin at another time. */
const night = { from: 20, to: 7 }

function NotificationsPart() {
  const { mail, role } = useMe()
  const { data, ...query } = useQuery(settingsQuery)
  const isFor = (kind: NotificationKind) => kind !== 'webhook' || rightsOf(role) === 'admin'
  return (
    <PartState query={{ ...query, data: data && [data] }}>
      {([settings]) =>
        settings && (
          <>
            {!mail && <p className={css.hint}>{said.noMail}</p>}
            <ul>
              {notificationKinds.filter(isFor).map((kind) => (
                <KindRow
                  key={kind}
                  kind={kind}
                  way={mail ? settings.kinds[kind] : 'page'}
                  hasMail={mail}
                />
              ))}
            </ul>
            {mail && (
              <>
                <h3>{said.mail}</h3>
                <Check
                  className={css.desktop}
                  isOn={settings.details}
                  onChange={(details) => void change({ details })}
                >
                  {said.details}
                </Check>
                <p className="note">{said.detailsHint}</p>
                <div className={css.formRow}>
                  <Select
                    label={said.digestHour}
                    value={`${settings.digest_hour}`}
                    options={hours}
                    onValue={(hour) => void change({ digest_hour: Number(hour) })}
                  />
                  <Select
                    label={said.quietFrom}
                    value={`${settings.quiet_hours?.from ?? ''}`}
                    options={[['', said.noQuiet], ...hours]}
                    onValue={(from) =>
                      void change({
                        quiet_hours: from
                          ? { ...night, ...settings.quiet_hours, from: Number(from) }
                          : null,
                      })
                    }
                  />
                  {settings.quiet_hours && (
                    <Select
                      label={said.quietTo}
                      value={`${settings.quiet_hours.to}`}
                      options={hours}
                      onValue={(to) =>
                        void change({
                          quiet_hours: { ...night, ...settings.quiet_hours, to: Number(to) },
                        })
                      }
                    />
                  )}
                </div>
                <p className="note">{said.zone(settings.time_zone)}</p>
              </>
            )}
            <Desktop />
          </>
        )
      }
    </PartState>
  )
}

interface KindProps {
  kind: NotificationKind
  way: NotificationWay
  hasMail: boolean
}

function KindRow({ kind, way, hasMail }: KindProps) {
  const { label, hint } = said.kinds[kind]
  return (
    <li className={css.row}>
      <div className="block">
        {label}
        <div className="note">{hint}</div>
      </div>
      <Select
        isBare
        className={css.wideSelect}
        label={said.wayOf(label)}
        value={way}
        isDisabled={!hasMail}
        options={notificationWays.map((one) => [one, said.ways[one]])}
        onValue={(next) => void change({ kinds: { [kind]: next as NotificationWay } })}
      />
    </li>
  )
}

function Desktop() {
  const [isOn, setOn] = useState(isDesktopOn)
  const isPossible = isDesktopPossible()
  const isBlocked = isPossible && isDesktopBlocked()
  return (
    <>
      <h3>{said.desktop}</h3>
      <Check
        className={css.desktop}
        isOn={isOn}
        isDisabled={!isPossible || isBlocked}
        onChange={(next) => void setDesktop(next).then(setOn)}
      >
        {said.desktopOn}
      </Check>
      {!isPossible && <p className="note">{said.desktopMissing}</p>}
      {isBlocked && <p className="note">{said.desktopDenied}</p>}
    </>
  )
}

export default { needs: 'read', Content: NotificationsPart } satisfies Part

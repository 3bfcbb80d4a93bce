// The data at the moment of the bar "Now", while it is moved.

import { useEffect, useState } from 'preact/hooks'
import { Changes, field, valueText } from './changes.js'
import { call } from './connection.js'
import { timeOf } from './entry-text.js'
import { shownTime } from './kinds.js'
import { cancelMove, difference, entryAbove, letGo, momentText, position } from './moment.js'
import { Part } from './part.js'
import { sessions } from './store.js'
import { Table } from './table.js'

type Project = {
  id: string
  name: string
  status: string
  createdAt: string
  teamId: string
  description: string | null
}
const columns = ['name', 'status', 'description', 'createdAt'] as const

/** Says how many of the records that differ are not in the table. */
const elsewhereText = (count: number, all: number): string =>
  count === 0
    ? ''
    : `, ${count === all ? 'all' : count} of them ${count === 1 ? 'in another team' : 'in other teams'}`

/** The projects of the team at the moment of the bar; differences from now are marked. */
export function Moment() {
  const [present, setPresent] = useState<Project[]>([])
  const [team, setTeam] = useState<{ id: string; name: string } | undefined>(undefined)
  useEffect(() => {
    void Promise.all([
      call('data', { kind: 'projects', limit: 500 }),
      call('data', { kind: 'sessions' }),
      call('data', { kind: 'teams' }),
    ]).then(([projects, people, teams]) => {
      const you = sessions.peek()?.you ?? sessions.peek()?.active
      const person = people.output?.records.find((record) => 'id' in record && record.id === you)
      const own = teams.output?.records.find(
        (record) => field(record, 'orgCode') === field(person, 'orgCode') && person !== undefined,
      )
      setTeam(own as { id: string; name: string } | undefined)
      setPresent((projects.output?.records ?? []) as Project[])
    })
  }, [])
  const { changes = [], changed = 0, error } = difference.value ?? {}
  const ofProjects = new Map(
    changes.filter(({ kind }) => kind === 'projects').map((change) => [change.key, change]),
  )
  const all = [
    ...present.map((now) => ({
      now,
      past: ofProjects.has(now.id) ? (ofProjects.get(now.id)?.after as Project) : now,
    })),
    ...[...ofProjects.values()]
      .filter(({ before }) => !before)
      .map(({ after }) => ({ now: undefined, past: after as Project })),
  ].filter(({ now, past }) => !team || (past ?? now)?.teamId === team.id)
  const others = changes.filter(({ kind }) => kind !== 'projects')
  const elsewhere = [...ofProjects.values()].filter(
    ({ before, after }) => team && field(before ?? after, 'teamId') !== team.id,
  ).length
  const entry = position.value > 0 ? entryAbove(position.value) : undefined
  return (
    <>
      <header>
        <h2>
          {team ? team.name : 'The projects'}, {momentText.value}{' '}
          {entry && <span class="quiet">{timeOf(entry)}</span>}
        </h2>
        <p class="quiet facts" role="status">
          {error ??
            (changed === 0
              ? 'Nothing differs from the present.'
              : `${changed} ${changed === 1 ? 'record differs' : 'records differ'} from the present${elsewhereText(elsewhere, changed)}. Undo brings everything back.`)}
        </p>
        <div role="group" aria-label="The moment" class="toolbar">
          <button type="button" class="main" disabled={!entry || error !== undefined} onClick={letGo}>
            Return to this moment <kbd>Enter</kbd>
          </button>
          <button type="button" onClick={cancelMove}>
            Stay in the present <kbd>Esc</kbd>
          </button>
        </div>
      </header>

      <Table label="Projects" names={columns}>
        {all.slice(0, 100).map(({ now, past }) => (
          <tr key={(past ?? now)?.id} class={past ? (now ? undefined : 'added') : 'removed'}>
            {columns.map((name) => {
              const textOf = (record: Project | undefined) =>
                name === 'createdAt' ? shownTime(record?.createdAt ?? '') : valueText(field(record, name))
              const before = textOf(now)
              const value = textOf(past ?? now)
              const differs = now !== undefined && past !== undefined && before !== value
              return (
                <td key={name} class={differs ? 'differs' : undefined}>
                  {differs && <del>{before.slice(0, 80)}</del>}{' '}
                  {past && !now ? <ins>{value}</ins> : past ? value.slice(0, 120) : <del>{value}</del>}
                </td>
              )
            })}
          </tr>
        ))}
      </Table>
      {others.length > 0 && (
        <Part title="What else differs">
          <Changes changes={others} />
        </Part>
      )}
    </>
  )
}

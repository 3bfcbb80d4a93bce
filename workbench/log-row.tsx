// The rows of the timeline.

import { outcomeOf } from '../src/mock/log/entry-words.js'
import { Avatar, nameOfCaller } from './avatar.js'
import { durationText, Effect, ForcedBadge, Name, nameOf, Outcome } from './entry-text.js'
import { type Chapter, type Fold, type RequestItem, type StepItem, toggleFold } from './items.js'
import { memo } from './memo.js'
import { openOutcomes, respond } from './outcome-forms.js'
import { redo, undo } from './perform.js'
import { fewArrived, select, show } from './store.js'

/** The place of a row: to change it costs no layout. */
const placeOf = (top: number) => ({ translate: `0 ${top}px` })

/** Newer requests have just arrived. */
const isNew = (time: string) => Date.now() - Date.parse(time) < 1500

/** A path with a long id in two parts: where it is cut, the end of the id is still seen. */
function splitPath(path: string): [start: string, end: string] {
  const [id = ''] = /[^/]{20,}$/.exec(path) ?? []
  return id ? [path.slice(0, -6), path.slice(-6)] : [path, '']
}

type RowProps = { item: RequestItem; index: number; top: number; isSelected: boolean; isOff: boolean }

/** The path of a request; of one that changed a record, the name of the record in place of its id. */
function Path({ item: { entry } }: { item: RequestItem }) {
  const { path } = nameOf(entry)
  const [record] = entry.changed ?? []
  if (record?.change === 'changed' && path.endsWith(record.key))
    return (
      <>
        <span class="quiet text">{path.slice(0, -record.key.length).replace(/^\/v\d+\//, '')}</span>
        <b class="name">
          <Name text={record.name} />
        </b>
      </>
    )
  const [start, end] = splitPath(path)
  return (
    <>
      <span class="text">{start}</span>
      {end && <span class="text end">{end}</span>}
    </>
  )
}

/** The place of a row changes with each request that arrives; its cells do not. */
export function LogRow({ item, index, top, isSelected, isOff }: RowProps) {
  const { entry } = item
  const { id, why, kind } = entry
  const classes = [
    'log-row',
    kind === 'unanswered' && 'unanswered',
    fewArrived.has(entry) && isNew(entry.time) && 'new',
    entry.forcedBy && 'was-forced',
  ]
  return (
    <div
      id={`log-${id}`}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      class={classes.filter(Boolean).join(' ')}
      style={placeOf(top)}
      title={`${nameOf(entry).path}: ${outcomeOf(entry)}, decided by: ${why}${isOff ? '. Undone.' : ''}`}
      onClick={({ target }) => {
        if (target instanceof Element && target.closest('button')) return
        select(id)
        show('timeline', String(id))
      }}
    >
      <Cells item={item} isOff={isOff} />
    </div>
  )
}

const Cells = memo(({ item, isOff }: Pick<RowProps, 'item' | 'isOff'>) => {
  const { entry, times, isPinned, time } = item
  const { id, ms, kind, session } = entry
  const { method, path } = nameOf(entry)
  const isUnanswered = kind === 'unanswered'
  const isChange = entry.changed !== undefined
  const off = isOff ? ' off' : ''
  return (
    <>
      <span role="gridcell" class="time">
        {time}
      </span>
      <span role="gridcell" class="line">
        <i class={`${isChange || entry.forcedBy ? 'ring' : 'point'}${off}`} />
        <span class="unseen">
          {nameOfCaller(session)}
          {isChange && (isOff ? ', undone' : ', changed data')}
        </span>
      </span>
      <span role="gridcell" class={`method${off}`}>
        {method}
      </span>
      <span role="gridcell" class={`path${off}`}>
        {times > 1 && <b class="count">×{times}</b>}
        <Path item={item} />
      </span>
      <span role="gridcell" class="did">
        <ForcedBadge entry={entry} />
        {isPinned && <span class="badge quiet">not matching</span>}
        <Effect entry={entry} />
      </span>
      <span role="gridcell" class="result">
        <Outcome entry={entry} isOff={isOff} />
      </span>
      <span role="gridcell" class="duration">
        {durationText(ms)}
      </span>
      <span role="gridcell" class="cell-action">
        <button
          type="button"
          class="row-action"
          tabIndex={-1}
          aria-label={`${isUnanswered ? 'Respond to' : 'Outcome of'} ${method} ${path}`}
          onClick={({ currentTarget }) => {
            select(id)
            return isUnanswered ? respond(entry) : openOutcomes(currentTarget, entry)
          }}
        >
          {isUnanswered ? 'Respond' : 'Outcome'}
        </button>
      </span>
    </>
  )
})

type OtherProps<Other> = { item: Other; index: number; top: number }

export const ChapterRow = ({ item: { session, time }, index, top }: OtherProps<Chapter>) => (
  <div role="row" aria-rowindex={index + 1} class="chapter" style={placeOf(top)}>
    <span role="gridcell">
      <Avatar session={session} />
      <b>{nameOfCaller(session)}</b> <span class="quiet">{time}</span>
    </span>
  </div>
)

/** @param isLast whether undo makes these requests again */
export function FoldRow({ item: { ids, isOpen }, index, top }: OtherProps<Fold>) {
  const oldest = ids.at(-1) ?? 0
  return (
    <div role="row" aria-rowindex={index + 1} class="chapter fold" style={placeOf(top)}>
      <span role="gridcell">
        <i class="ring" />
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => toggleFold(oldest)}>
          <b>{`${ids.length} ${ids.length === 1 ? 'request' : 'requests'} undone`}</b>
        </button>{' '}
        <span class="quiet">back to before #{oldest}</span>
        <button type="button" class="link again" onClick={() => undo()}>
          Bring {ids.length === 1 ? 'it' : 'them'} back
        </button>
        <kbd>U</kbd>
      </span>
    </div>
  )
}

export function StepRow({ item: { step, time }, index, top }: OtherProps<StepItem>) {
  const { id, done, isUndone } = step
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      class={`chapter step${isUndone ? ' off' : ''}`}
      style={placeOf(top)}
    >
      <span role="gridcell">
        <span class="time">{time}</span>
        <i class="ring" />
        <span class="text" title={done}>
          <Name text={done} />
        </span>
        <button
          type="button"
          class="link again"
          tabIndex={-1}
          aria-label={`${isUndone ? 'Redo' : 'Undo'}: ${done}`}
          onClick={() => (isUndone ? redo(id) : undo(id))}
        >
          {isUndone ? 'Redo' : 'Undo'}
        </button>
      </span>
    </div>
  )
}

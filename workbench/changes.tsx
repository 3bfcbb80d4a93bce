// The records that were changed: each field that differs, before and after.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { RecordChange } from '../src/store/memory/record-changes.js'
import { Name } from './entry-text.js'
import { kinds } from './kinds.js'

export const valueText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** A long text is shown in part. */
const maxShown = 400

function Value({ value, tag: Tag }: { value: unknown; tag: 'del' | 'ins' }) {
  const [isWhole, setWhole] = useState(false)
  const text = valueText(value)
  const isLong = text.length > maxShown
  return (
    <>
      <Tag>{isLong && !isWhole ? `${text.slice(0, maxShown)}…` : text}</Tag>
      {isLong && (
        <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </>
  )
}

export const field = (record: object | undefined, name: string): unknown =>
  record && Reflect.get(record, name)

const nameOf = (record: object | undefined, key: string): string =>
  ([field(record, 'name'), field(record, 'email')].find(
    (text) => typeof text === 'string' && text,
  ) as string) ?? key

/** The records that were changed: each field that differs, before and after. */
export function Changes({ changes, children }: { changes: RecordChange[]; children?: ComponentChildren }) {
  return (
    <>
      {changes.slice(0, 50).map(({ kind, key, before, after }) => {
        const what = before ? (after ? '' : 'removed') : 'added'
        const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
        const differing = names.filter(
          (name) => valueText(field(before, name)) !== valueText(field(after, name)),
        )
        const name = nameOf(after ?? before, key)
        return (
          <table key={`${kind} ${key}`} class="changes">
            <caption>
              <b>
                <Name text={name} />
              </b>{' '}
              <span class="quiet">{kinds[kind].one}</span>{' '}
              {what && <span class={`pill ${what}`}>{what}</span>}
              {name !== key && <code class="quiet">{key}</code>}
            </caption>
            <tbody>
              {differing.map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    {before && <Value value={field(before, name)} tag="del" />}{' '}
                    {after && <Value value={field(after, name)} tag="ins" />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )
      })}
      {changes.length > 50 && <p class="quiet">and {changes.length - 50} more records</p>}
      {children}
    </>
  )
}

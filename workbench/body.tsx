// The headers and the body of a request or a response.

import { signal } from '@preact/signals'
import type { LoggedMessage } from '../src/mock/log/logged-exchange.js'
import { valueText } from './changes.js'
import { Name } from './entry-text.js'
import { JsonBody, readJson } from './json-tree.js'
import { shownTime } from './kinds.js'
import { Table } from './table.js'

/** Which parts are open: the same for each entry. */
const areHeadersOpen = signal(false)
/** Whether bodies are shown as they were sent. */
export const isRaw = signal(false)

/** How a value of a body is marked: as one that the request changed, or as the code of an error. */
export type Mark = (name: string | undefined, text: string) => string | undefined

export function Message({ headers, body, mark }: LoggedMessage & { mark?: Mark }) {
  const names = Object.keys(headers)
  return (
    <>
      <Body body={body} type={headers['content-type']} mark={mark} />
      <details
        class="headers"
        open={areHeadersOpen.value}
        onToggle={({ currentTarget }) => {
          areHeadersOpen.value = currentTarget.open
        }}
      >
        <summary>
          {names.length} {names.length === 1 ? 'header' : 'headers'}
        </summary>
        <dl>
          {names.map((name) => (
            <>
              <dt>{name}</dt>
              <dd>{headers[name]}</dd>
            </>
          ))}
        </dl>
      </details>
    </>
  )
}

/** Whether lists of like records are shown as JSON, not as tables. */
const areListsJson = signal(false)

/** The records of a body that is a list of like records, alone or as the only field; of a cut one, the whole records. */
function likeRecords(text: string, isCut: boolean): object[] | undefined {
  const whole = isCut ? /^(.*\})\s*,\s*\{/s.exec(text)?.[1] : text
  if (whole === undefined) return undefined
  let body: unknown
  try {
    body = JSON.parse(isCut ? `${whole}]${whole.trimStart().startsWith('{') ? '}' : ''}` : whole)
  } catch {
    return undefined
  }
  const fields = Object.values(Object(body))
  const list = Array.isArray(body) ? body : fields.length === 1 ? fields[0] : undefined
  const isLike = Array.isArray(list) && list.length > 0 && list.every((each) => isRecord(each))
  return isLike ? list : undefined
}
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ids come last, and only where there is room. */
const isId = (name: string) => /^id$|Id$/.test(name)

/** @param isCut whether there were more records, whose number is not stored */
function RecordTable({ records, isCut }: { records: object[]; isCut: boolean }) {
  const all = [...new Set(records.slice(0, 50).flatMap(Object.keys))]
  const names = [...all.filter((name) => !isId(name)), ...all.filter(isId)].slice(0, 4)
  return (
    <>
      <Table label="Body" names={names}>
        {records.slice(0, 50).map((record, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the records never move
          <tr key={i}>
            {names.map((name) => (
              <td key={name}>
                <Cell value={Reflect.get(record, name)} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <p class="quiet">
        {(records.length > 50 || isCut) &&
          `The first ${Math.min(50, records.length)} of ${isCut ? 'more than ' : ''}${records.length.toLocaleString('en')} · `}
        <button
          type="button"
          class="link"
          onClick={() => {
            areListsJson.value = true
          }}
        >
          as JSON
        </button>
      </p>
    </>
  )
}

function Cell({ value }: { value: unknown }) {
  const text = valueText(value)
  return <Name text={/^\d{4}-\d\d-\d\dT/.test(text) ? shownTime(text) : text} />
}

const isTextType = /^(text\/|application\/(.*\+)?(json|xml)|application\/(javascript|x-www-form-urlencoded))/

type BodyProps = { body: LoggedMessage['body']; type?: string; mark?: Mark }
function Body({ body, type = '', mark }: BodyProps) {
  if (!body) return <p class="quiet">No body.</p>
  const { text, length } = body
  if (text === undefined) {
    const [kind = ''] = type.split(';')
    const unit = isTextType.test(type)
      ? 'characters, which are not stored'
      : `B ${kind || 'of an unknown type'}`
    return (
      <p class="quiet">
        {length.toLocaleString('en')} {unit}
      </p>
    )
  }
  const isCut = text.length < length
  const list = isRaw.value || areListsJson.value ? undefined : likeRecords(text, isCut)
  const tree = isRaw.value || list ? undefined : readJson(text)
  return (
    <>
      {list ? (
        <RecordTable records={list} isCut={isCut} />
      ) : tree ? (
        <JsonBody node={tree} limit={`${Math.ceil(text.length / 1024)} KiB`} mark={mark} />
      ) : (
        <pre class="code" tabIndex={0}>
          {text}
        </pre>
      )}
      {isCut && (
        <p class="quiet">
          The first {text.length.toLocaleString('en')} of {length.toLocaleString('en')} characters; the rest
          is not stored.
        </p>
      )}
    </>
  )
}

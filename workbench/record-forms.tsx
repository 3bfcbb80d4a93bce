// The forms that add and change records and personas.

import { signal } from '@preact/signals'
import type { StateKind, StateRecord } from '../src/store/state-file.js'
import { call } from './connection.js'
import { type Draft, draft, Field, openDialog, showFaults } from './dialog.js'
import {
  entered,
  type FieldInfo,
  fieldValue,
  hasLines,
  keyOf,
  kinds,
  parseEntered,
  withBreaksOf,
} from './kinds.js'
import { change } from './perform.js'

/** The ids of teams and users, and the organisations, which inputs suggest. */
const suggestions = signal<{ teams: string[]; organizations: string[]; users: string[] }>({
  teams: [],
  organizations: [],
  users: [],
})

export async function refreshSuggestions(): Promise<void> {
  const [teams, users] = await Promise.all([
    call('data', { kind: 'teams', limit: 100 }),
    call('data', { kind: 'users', limit: 100 }),
  ])
  const read = (list: typeof teams, name: string) =>
    (list.output?.records ?? []).map((record) => String(Reflect.get(record, name)))
  suggestions.value = {
    teams: read(teams, 'id'),
    organizations: read(teams, 'orgCode'),
    users: read(users, 'id'),
  }
}

export const Suggestions = () => (
  <>
    {Object.entries(suggestions.value).map(([name, values]) => (
      <datalist key={name} id={`list-${name}`}>
        {values.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    ))}
  </>
)

const hintOf = (info: FieldInfo, record: StateRecord | undefined): string =>
  [
    info.hint,
    !record && (info.made === true ? 'Made if empty' : info.made),
    (info.optional || info.nullable) && 'Optional',
    record && !info.edits && 'Cannot be changed',
  ]
    .filter(Boolean)
    .join('. ')

/** Opens a form for a record; without one, for a new one. */
export async function openRecord(kind: StateKind, record?: StateRecord): Promise<void> {
  await refreshSuggestions()
  const { one, fields } = kinds[kind]
  const drafts = new Map(
    fields.map((info): [string, Draft] => [
      info.name,
      draft(record ? entered(fieldValue(record, info)) : (info.initial ?? '')),
    ]),
  )
  const draftOf = (name: string) => drafts.get(name) as Draft
  openDialog({
    title: record ? `Edit ${keyOf(record)}` : `A new ${one}`,
    submit: record ? 'Save' : 'Add',
    content: fields.map((info) => (
      <Field
        key={info.name}
        label={info.name}
        draft={draftOf(info.name)}
        hint={hintOf(info, record)}
        isReadOnly={record !== undefined && !info.edits}
        list={info.refers && `list-${info.refers}`}
        rows={hasLines(info, draftOf(info.name).initial) ? 1 : undefined}
      />
    )),
    async onSubmit() {
      const values: Record<string, unknown> = {}
      let isValid = true
      for (const info of fields) {
        const field = draftOf(info.name)
        const text = withBreaksOf(field.initial, field.text.value)
        if (record && (!info.edits || text === field.initial)) continue
        // An empty field is left out of a new record, and made.
        if (!record && text === '' && !info.nullable && (info.made || info.optional)) continue
        const parsed = parseEntered(info, text)
        if (parsed.fault !== undefined) {
          field.fault.value = parsed.fault
          isValid = false
        } else values[info.name] = parsed.value
      }
      if (!isValid) return ''
      if (record && Object.keys(values).length === 0) return true
      const { error, faults } = record
        ? await change('setRecord', { kind, key: keyOf(record), fields: values })
        : await change('addRecord', { kind, record: values })
      return error === undefined || showFaults(drafts, error, faults)
    },
  })
}

/** The permissions that the operations need. */
const permissions = ['create:projects', 'update:projects']

/** Opens a form for a persona with its user, and a team of its own if the organisation is new. */
export async function openPersona(onAdded: (id: string) => unknown): Promise<void> {
  await refreshSuggestions()
  const fields: [name: string, label: string, hint: string, placeholder?: string, list?: string][] = [
    ['id', 'Name', 'Letters, digits and _ . : @ -', 'initech-owner'],
    ['email', 'E-mail address', 'Made if empty'],
    ['givenName', 'Given name', 'Optional'],
    ['familyName', 'Family name', 'Optional'],
    [
      'orgCode',
      'Organisation',
      'A new code makes a new team; none: not onboarded',
      'org_initech',
      'list-organizations',
    ],
    ['teamName', 'Name of a new team', 'Optional'],
    ['role', 'Role', 'Optional'],
    ['note', 'Note', 'Optional'],
  ]
  const drafts = new Map(fields.map(([name]): [string, Draft] => [name, draft()]))
  const chosen = new Set(permissions)
  openDialog({
    title: 'A new persona',
    submit: 'Add',
    content: (
      <>
        {fields.map(([name, label, hint, placeholder, list]) => (
          <Field
            key={name}
            label={label}
            draft={drafts.get(name) as Draft}
            {...{ hint, placeholder, list }}
          />
        ))}
        <fieldset>
          <legend>Permissions</legend>
          {permissions.map((name) => (
            <label key={name} class="switch">
              <input
                type="checkbox"
                defaultChecked
                onChange={({ currentTarget }) => {
                  if (currentTarget.checked) chosen.add(name)
                  else chosen.delete(name)
                }}
              />
              {name}
            </label>
          ))}
        </fieldset>
      </>
    ),
    async onSubmit() {
      const entries = [...drafts].map(([name, { text }]) => [name, text.value.trim()])
      const id = drafts.get('id') as Draft
      if (id.text.value.trim() === '') {
        id.fault.value = 'Enter a name.'
        return ''
      }
      const { error, faults } = await call('addSession', {
        ...Object.fromEntries(entries.filter(([, value]) => value !== '')),
        permissions: [...chosen],
      } as never)
      if (error !== undefined) return showFaults(drafts, error, faults)
      await onAdded(id.text.value.trim())
      return true
    },
  })
}

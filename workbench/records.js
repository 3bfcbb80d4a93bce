// The kinds of records, their fields, and the forms that add and change them.

import { call, control } from './control.js'
import { datalist, element, field, find, openForm, showMessage } from './dom.js'

const text = (name, width, more = {}) => ({ name, width, edits: true, ...more })
const id = (width) => ({ name: 'id', width, made: true, minor: true })
const time = (name, width, more = {}) =>
  text(name, width, { minor: true, hint: 'e.g. 2026-01-31T12:00:00.000Z', ...more })

/** Those with a width are columns of the table; those without are in the form alone. */
export const kinds = {
  projects: {
    title: 'Projects',
    name: 'projects',
    one: 'project',
    fields: [
      text('name', 'minmax(7rem, 2fr)'),
      text('description', 'minmax(6rem, 2fr)', { nullable: true, minor: true }),
      text('status', 'minmax(6.5rem, 1fr)', {
        hint: 'active, paused, completed, archived or any other',
        initial: 'active',
      }),
      text('teamId', 'minmax(7.5rem, 1fr)', {
        refers: 'teams',
        minor: true,
        made: 'That of session=active if empty',
      }),
      time('createdAt', 'minmax(6rem, 15em)', { made: true }),
      id('minmax(5rem, 2.5fr)'),
    ],
  },
  teams: {
    title: 'Teams',
    name: 'teams',
    one: 'team',
    referred: true,
    fields: [
      text('name', 'minmax(7rem, 2fr)'),
      text('orgCode', 'minmax(6rem, 1fr)', { hint: 'e.g. org_initech', made: true }),
      id('minmax(5rem, 1fr)'),
    ],
  },
  users: {
    title: 'Users',
    name: 'users',
    one: 'user',
    referred: true,
    fields: [
      text('email', 'minmax(8rem, 2fr)'),
      text('givenName', 'minmax(5rem, 1fr)', { made: true }),
      text('familyName', 'minmax(5rem, 1fr)', { minor: true, made: true }),
      text('picture', undefined, { made: true }),
      id('minmax(5rem, 1fr)'),
      text('issuer', undefined, { optional: true, hint: 'The identity provider' }),
      text('subject', undefined, { optional: true }),
    ],
  },
  sessions: {
    title: 'Sessions',
    name: 'sessions',
    one: 'session',
    fields: [
      { ...id('minmax(7rem, 1fr)'), minor: false, made: false, hint: 'The name of the persona' },
      text('userId', 'minmax(6rem, 1fr)', { refers: 'users' }),
      text('orgCode', 'minmax(5rem, 1fr)', { optional: true, minor: true }),
      text('permissions', 'minmax(6rem, 1.5fr)', {
        list: true,
        minor: true,
        hint: 'Separated by commas',
        initial: 'create:projects, update:projects',
      }),
      text('role', 'minmax(4rem, .7fr)', { optional: true, minor: true }),
      text('note', 'minmax(6rem, 1.5fr)', { optional: true, minor: true }),
      time('createdAt', undefined, { optional: true }),
      time('expiresAt', undefined, { optional: true }),
      time('revokedAt', undefined, { optional: true }),
    ],
  },
  waitlist: {
    title: 'Waitlist',
    name: 'waitlist entries',
    one: 'waitlist entry',
    fields: [
      { ...text('email', 'minmax(8rem, 2fr)'), edits: false },
      { ...time('createdAt', 'minmax(8rem, 1fr)', { made: true }), minor: false },
    ],
  },
}

export const fieldsOf = (kind) => kinds[kind].fields
export const keyOf = (kind, record) => (kind === 'waitlist' ? record.email : record.id)

export const textOf = (value) =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)

/** The value of a field for what was entered. `null` removes it, or is the value of a field that may be null. */
export function parseEntered({ list, optional, nullable }, entered) {
  if (list)
    return entered
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
  return entered === '' && (optional || nullable) ? null : entered
}

/** The name of the field that a fault is about: `projects[3].teamId` is about `teamId`. */
const fieldOfFault = (path) => /(?:^|\.)([A-Za-z]+)(?:\[\d+\])*$/.exec(path)?.[1]

/** Fills the lists of teams and users that inputs suggest. */
export async function refreshSuggestions() {
  const [teams, users] = await Promise.all([
    control('GET', 'data', { kind: 'teams', limit: 100 }),
    control('GET', 'data', { kind: 'users', limit: 100 }),
  ])
  if (!teams || !users) return
  const lists = [
    datalist(
      'list-teams',
      teams.records.map((team) => team.id),
    ),
    datalist(
      'list-organizations',
      teams.records.map((team) => team.orgCode),
    ),
    datalist(
      'list-users',
      users.records.map((user) => user.id),
    ),
  ]
  find('suggestions').replaceChildren(...lists)
}

/** Shows each fault at its field, and returns what is about no field. */
function showFaults(inputs, error, faults) {
  for (const { setFault } of inputs.values()) setFault()
  const found = faults.filter(({ path }) => inputs.has(fieldOfFault(path)))
  for (const { path, reason } of found) inputs.get(fieldOfFault(path)).setFault(reason)
  if (found.length > 0) inputs.get(fieldOfFault(found[0].path)).input.focus()
  // The same fault of what was made of a field is not repeated, such as the id of a user that has the persona's name.
  const others = faults.filter((fault) => !found.some(({ reason }) => reason === fault.reason))
  return faults.length > 0 ? others.map(({ path, reason }) => `${path}: ${reason}`).join('\n') : error
}

/** Opens a form for a record; without one, for a new one. */
export async function openRecord(kind, record, onSaved) {
  await refreshSuggestions()
  const { one, fields } = kinds[kind]
  const inputs = new Map()
  for (const described of fields) {
    const { name, hint, refers, optional, nullable, made, initial, edits } = described
    const isFixed = record !== undefined && !edits
    const hints = [
      hint,
      !record && (made === true ? 'Made if empty' : made),
      (optional || nullable) && 'Optional',
      isFixed && 'Cannot be changed',
    ]
    const input = element('input', {
      type: 'text',
      autocomplete: 'off',
      value: record ? textOf(record[name]) : (initial ?? ''),
      readOnly: isFixed,
      list: refers ? `list-${refers}` : undefined,
    })
    // A line has no line breaks: what it shows may differ from what is stored.
    const before = input.value
    inputs.set(name, { ...field(name, input, hints.filter(Boolean).join('. ')), described, isFixed, before })
  }
  const submit = async (setFault) => {
    const values = {}
    for (const [name, { input, described, isFixed, before }] of inputs) {
      const entered = input.value
      if (isFixed || (record && entered === before)) continue
      // What is not entered is left out of a new record, and made or reported as missing.
      if (!record && entered === '' && !described.list && !described.nullable) continue
      values[name] = parseEntered(described, entered)
    }
    if (record && Object.keys(values).length === 0) return true
    const { output, error, faults } = record
      ? await call('PUT', 'data', { kind, key: keyOf(kind, record), fields: values })
      : await call('POST', 'data', { kind, record: values })
    if (error !== undefined) {
      setFault(showFaults(inputs, error, faults))
      return false
    }
    showMessage(`${record ? 'Changed' : 'Added'} ${keyOf(kind, output.record)}.`)
    await onSaved()
    return true
  }
  const title = record ? `Edit ${keyOf(kind, record)}` : `A new ${one}`
  openForm(
    title,
    record ? 'Save' : 'Add',
    [...inputs.values()].map(({ line }) => line),
    submit,
  )
}

/** The permissions that the operations need. */
const permissions = ['create:projects', 'update:projects']

/** Opens a form for a persona with its user, and a team of its own if the organisation is new. */
export async function openPersona(onAdded) {
  await refreshSuggestions()
  const make = (name, label, hint = '', more = {}) => [
    name,
    field(label, element('input', { type: 'text', autocomplete: 'off', ...more }), hint),
  ]
  const inputs = new Map([
    make('id', 'Name', 'Letters, digits and _ . : @ -', { required: true, placeholder: 'initech-owner' }),
    make('email', 'E-mail address', 'Made if empty'),
    make('givenName', 'Given name', 'Optional'),
    make('familyName', 'Family name', 'Optional'),
    make('orgCode', 'Organisation', 'A new code makes a new team; none: not onboarded', {
      list: 'list-organizations',
      placeholder: 'org_initech',
    }),
    make('teamName', 'Name of a new team', 'Optional'),
    make('role', 'Role', 'Optional'),
    make('note', 'Note', 'Optional'),
  ])
  const boxes = permissions.map((name) => ({
    name,
    box: element('input', { type: 'checkbox', checked: true }),
  }))
  const choice = element('fieldset', {}, element('legend', {}, 'Permissions'))
  for (const { name, box } of boxes) choice.append(element('label', { className: 'switch' }, box, name))
  const submit = async (setFault) => {
    const entered = [...inputs].map(([name, { input }]) => [name, input.value.trim()])
    const { output, error, faults } = await call('POST', 'sessions', {
      ...Object.fromEntries(entered.filter(([, value]) => value !== '')),
      permissions: boxes.filter(({ box }) => box.checked).map(({ name }) => name),
    })
    if (error === undefined) await onAdded(inputs.get('id').input.value.trim(), output)
    else setFault(showFaults(inputs, error, faults))
    return error === undefined
  }
  openForm('A new persona', 'Add', [...[...inputs.values()].map(({ line }) => line), choice], submit)
}

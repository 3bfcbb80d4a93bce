// The state as a whole: as a file, as snapshots, and as it was at first.

import { spaceNameFault } from '../src/mock/controls/control-endpoints.js'
import { connection } from './connection.js'
import { draft, Field, openDialog } from './dialog.js'
import { change, perform } from './perform.js'
import { followActive } from './personas.js'
import { type Choice, openPicker } from './picker.js'
import { show, snapshots } from './store.js'
import { control, download, showError, toast } from './toasts.js'

/** Each request of this browser names the space by its cookie; the page begins anew there. */
export function goToSpace(name?: string): void {
  if (connection.space?.set(name)) location.reload()
  else toast('The browser has not taken the cookie of the space.')
}

async function loadFile(file: File | undefined): Promise<void> {
  if (!file) return
  let state: unknown
  try {
    state = JSON.parse(await file.text())
  } catch {
    return toast(`${file.name} is not JSON.`)
  }
  const { error, step } = await change('loadState', state)
  if (error !== undefined) return showError(error)
  const { persona, log } = Object(Object(state).mock)
  if (persona) await followActive(step)
  if (log) show('timeline')
}

/** A file that is dropped anywhere on the page is loaded. */
export function acceptFiles(): void {
  const isFile = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
  const mark = (isOver: boolean) => document.body.classList.toggle('dropping', isOver)
  document.addEventListener('dragover', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    mark(true)
  })
  document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && mark(false))
  document.addEventListener('drop', (event) => {
    if (!isFile(event)) return
    event.preventDefault()
    mark(false)
    void loadFile(event.dataTransfer?.files[0])
  })
}

function askForSpace(): void {
  const name = draft()
  openDialog({
    title: 'Go to a space',
    submit: 'Go there',
    content: (
      <>
        <p>
          Requests of this browser then meet a mock of their own: its data, its forced outcomes and its log.
        </p>
        <Field label="Space" draft={name} placeholder="mine" hint="A new name makes a new space" />
      </>
    ),
    onSubmit() {
      const text = name.text.value.trim()
      const fault = spaceNameFault(text)
      if (fault === undefined) goToSpace(text)
      name.fault.value = fault ?? ''
      return fault === undefined || ''
    },
  })
}

/** The ways to another space, and out of this one. */
const spaceChoices = (): Choice[] => {
  if (!connection.space) return []
  const space = connection.space.get()
  return [
    ...(space ? [{ group: 'Space', text: `Leave the space ${space}`, run: () => goToSpace() }] : []),
    { group: 'Space', text: 'Go to a space…', hint: 'a mock for this browser alone', run: askForSpace },
  ]
}

/** The space that this browser is in, if it is in one. */
export function SpaceButton() {
  const space = connection.space?.get()
  if (!space) return null
  return (
    <button
      id="space-button"
      type="button"
      aria-haspopup="dialog"
      title={`The space ${space}`}
      onClick={({ currentTarget }) =>
        openPicker({ label: 'Space', anchor: currentTarget, choices: spaceChoices })
      }
    >
      space <b>{space}</b>
    </button>
  )
}

function askForName(): void {
  const name = draft()
  openDialog({
    title: 'Save a snapshot',
    submit: 'Save',
    content: (
      <Field label="Snapshot" draft={name} placeholder="before-demo" hint="Letters, digits and . _ -" />
    ),
    async onSubmit() {
      const text = name.text.value.trim()
      if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(text))
        return (await perform('saveSnapshot', { name: text })) ? true : ''
      name.fault.value = 'Enter 1 to 64 letters, digits and . _ -, no dot first.'
      return ''
    },
  })
}

/** The field that a file of the disk is chosen with. */
export const FileField = () => (
  <input
    id="load-file"
    class="unseen"
    type="file"
    tabIndex={-1}
    aria-label="Load a file"
    accept=".json,application/json"
    onChange={async ({ currentTarget }) => {
      await loadFile(currentTarget.files?.[0])
      currentTarget.value = ''
    }}
  />
)

export function openStateMenu(anchor: Element): void {
  openPicker({
    label: 'State',
    anchor,
    choices: () => [
      {
        group: 'As a file',
        text: 'Download',
        hint: 'all of it, for a bug report, or as fixtures',
        run: async () => download('state.json', JSON.stringify(await control('exportState'), null, 2)),
      },
      {
        group: 'As a file',
        text: 'Load a file…',
        hint: 'or drop it on the page',
        run: () => document.getElementById('load-file')?.click(),
      },
      { group: 'Snapshots', text: 'Save a snapshot…', run: askForName },
      ...snapshots.value.flatMap((name) => [
        { group: 'Snapshots', text: `Load ${name}`, run: () => perform('loadSnapshot', { name }) },
        { group: 'Snapshots', text: `Delete ${name}`, run: () => perform('deleteSnapshot', { name }) },
      ]),
      ...spaceChoices(),
      {
        group: 'From the beginning',
        text: 'Reset everything',
        hint: 'to the fixtures, with an empty log',
        run: () => perform('reset'),
      },
    ],
  })
}

// The state as a whole: as a file, as snapshots, and as it was at first.

import { draft, Field, openDialog } from './dialog.js'
import { openPicker } from './picker.js'
import { snapshots } from './store.js'
import { control, download, toast } from './toasts.js'
import { record, reset, undo } from './undo.js'

const toastLoaded = (name: string, loaded: { warning?: string } | undefined): void => {
  if (loaded) toast([`Loaded ${name}.`, loaded.warning].filter(Boolean).join(' '), undo)
}

/** The mock keeps the snapshot that was replaced or deleted last under a name. */
const restoring = (name: string) => ({ back: () => control('restoreSnapshot', { name }) })

export async function saveSnapshot(name: string): Promise<boolean> {
  // Another interface may have made it a moment ago.
  const isReplaced = (await control('snapshots'))?.includes(name)
  const names = await control('saveSnapshot', { name })
  if (!names) return false
  snapshots.value = names
  if (isReplaced) await record(`Replaced ${name}`, restoring(name))
  else toast(`Saved as ${name}.`)
  return true
}

export async function deleteSnapshot(name: string): Promise<void> {
  const names = await control('deleteSnapshot', { name })
  if (!names) return
  snapshots.value = names
  await record(`Deleted ${name}`, restoring(name))
}

export const loadSnapshot = async (name: string): Promise<void> =>
  toastLoaded(name, await control('loadSnapshot', { name }))

async function loadFile(file: File | undefined): Promise<void> {
  if (!file) return
  let state: unknown
  try {
    state = JSON.parse(await file.text())
  } catch {
    return toast(`${file.name} is not JSON.`)
  }
  toastLoaded(file.name, await control('loadState', state))
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
      if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(text)) return (await saveSnapshot(text)) || ''
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
        hint: 'state.json, a fixture for dev --fixtures',
        run: async () => download('state.json', JSON.stringify(await control('exportState'), null, 2)),
      },
      { group: 'As a file', text: 'Load a file…', run: () => document.getElementById('load-file')?.click() },
      { group: 'Snapshots', text: 'Save a snapshot…', run: askForName },
      ...snapshots.value.flatMap((name) => [
        { group: 'Snapshots', text: `Load ${name}`, run: () => loadSnapshot(name) },
        { group: 'Snapshots', text: `Delete ${name}`, run: () => deleteSnapshot(name) },
      ]),
      {
        group: 'From the beginning',
        text: 'Reset everything',
        hint: 'to the fixtures, with an empty log',
        run: reset,
      },
    ],
  })
}

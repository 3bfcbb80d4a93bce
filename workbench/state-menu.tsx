// The state as a whole: as a file, as snapshots, and as it was at first.

import { draft, Field, openDialog } from './dialog.js'
import { perform } from './perform.js'
import { openPicker } from './picker.js'
import { snapshots } from './store.js'
import { control, download, toast } from './toasts.js'

async function loadFile(file: File | undefined): Promise<void> {
  if (!file) return
  let state: unknown
  try {
    state = JSON.parse(await file.text())
  } catch {
    return toast(`${file.name} is not JSON.`)
  }
  await perform('loadState', state)
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
        hint: 'state.json, a fixture for dev --fixtures',
        run: async () => download('state.json', JSON.stringify(await control('exportState'), null, 2)),
      },
      { group: 'As a file', text: 'Load a file…', run: () => document.getElementById('load-file')?.click() },
      { group: 'Snapshots', text: 'Save a snapshot…', run: askForName },
      ...snapshots.value.flatMap((name) => [
        { group: 'Snapshots', text: `Load ${name}`, run: () => perform('loadSnapshot', { name }) },
        { group: 'Snapshots', text: `Delete ${name}`, run: () => perform('deleteSnapshot', { name }) },
      ]),
      {
        group: 'From the beginning',
        text: 'Reset everything',
        hint: 'to the fixtures, with an empty log',
        run: () => perform('reset'),
      },
    ],
  })
}

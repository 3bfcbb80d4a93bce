import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import * as z from 'zod'
import { spaceNameFault } from '../../mock/controls/control-endpoints.js'
import type { ToolEffect } from '../../mock/controls/control-entry.js'
import { fieldWords } from '../../mock/controls/control-fields.js'
import { controlTable } from '../../mock/controls/control-table.js'
import { saidOf } from '../../mock/controls/control-words.js'
import { ControlError } from '../../mock/state/control-error.js'
import { parseStateText } from '../../store/parse-state-text.js'
import { writeAtomically } from '../files.js'
import { readStateFile } from '../read-state-file.js'
import { UserError } from '../user-error.js'
import type { ToolResult } from './answers.js'
import type { Connection } from './connect.js'
import { overview } from './overview.js'
import { type Call, readLog } from './read-log.js'

/** A tool that is not one control. */
type OtherTool = {
  about: string
  effect: ToolEffect
  input: z.ZodObject
  act(connection: Connection, given: Record<string, unknown>): Promise<ToolResult>
}

/** A tool by its description, effect and fields. */
const tool = <Fields extends z.ZodObject>(
  about: string,
  effect: ToolEffect,
  input: Fields,
  act: (connection: Connection, given: z.output<Fields>) => Promise<ToolResult>,
): OtherTool => ({
  about,
  effect,
  input,
  act: (connection, given) => act(connection, given as z.output<Fields>),
})

const callBy =
  ({ run }: Connection): Call =>
  async (...given) =>
    (await run(...given)).output

const stateFile = fieldWords.strict({ file: z.string().describe('its path') })

/** The tools that are not one control each. */
export const otherTools: Record<string, OtherTool> = {
  overview: tool(
    'Show the address, project and files of the mock with their faults, the last failed request, what is in force, and the names ' +
      'of personas and snapshots.',
    'reads',
    fieldWords.strict({}),
    async (connection) => ({ data: await overview(callBy(connection)) }),
  ),
  read_log: tool(
    'List requests with status, code, persona and why each was answered so. read_request shows the bodies of one.',
    'reads',
    controlTable.log.input,
    async (connection, filter) => ({ data: await readLog(callBy(connection), filter) }),
  ),
  load_state: tool(
    'Replace the state by that of a state file.',
    'sets',
    stateFile,
    async ({ run }, given) => {
      const file = resolve(given.file)
      const { output, step } = await run('loadState', await readStateFile(file))
      return { data: { file, ...Object(output) }, said: saidOf('loadState', step, {}) }
    },
  ),
  save_state: tool(
    'Save the whole state as a file, for load_state or as fixtures. Replaces no file but a state file.',
    'destroys',
    stateFile,
    async (connection, given) => {
      const file = resolve(given.file)
      await refuseOtherFile(file)
      const state = await callBy(connection)('exportState')
      await writeAtomically(file, [`${JSON.stringify(state, null, 2)}\n`])
      return { data: { file } }
    },
  ),
  use_space: tool(
    'Control another space from now on; null is the common one.',
    'sets',
    fieldWords.strict({ name: z.string().nullable() }),
    async ({ runIn, enterSpace }, { name }) => {
      const isNew = name !== null && (await createSpace(runIn, name))
      enterSpace(name ?? undefined)
      return {
        data: { space: name },
        said: isNew ? `The space ${name} is new: it has the fixtures.` : undefined,
      }
    },
  ),
}

/**
 * Creates a space, unless it is there.
 * @returns whether it was created
 * @throws ControlError for a name that no space can have, and if the mock has no spaces
 */
async function createSpace(runIn: Connection['runIn'], name: string): Promise<boolean> {
  const fault = spaceNameFault(name)
  if (fault) throw new ControlError(fault)
  const spacesSeenFrom = async (space?: string) => (await runIn(space, 'spaces')).output as string[]
  if ((await spacesSeenFrom()).includes(name)) return false
  // A call in a space creates it. A mock in a page has none.
  if ((await spacesSeenFrom(name)).includes(name)) return true
  throw new ControlError('Only a mock that is served has spaces.')
}

/** @throws UserError for a file that is there and no state file */
async function refuseOtherFile(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UserError(`${file} cannot be replaced: ${error.message}.`)
    return undefined
  })
  if (text === undefined) return
  await parseStateText(text).catch(() => {
    throw new UserError(
      `${file} is there, and is no state file: it was not replaced.`,
      'Choose another file.',
    )
  })
}

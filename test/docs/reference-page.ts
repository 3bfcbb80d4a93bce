import type { Command } from 'commander'
import * as z from 'zod'
import { createProgram } from '../../src/cli/program.js'
import { settingSchemas } from '../../src/server/settings/setting-schemas.js'
import { type Setting, settingNames, settingsTable } from '../../src/server/settings/settings-table.js'
import { stateKinds } from '../../src/store/state-file.js'
import { StateFileFormat } from '../store/state-schema.js'

const program = await createProgram()

/** The text of docs/reference.md, generated from the code. */
export const referencePage = async (): Promise<string> => `# Reference

Generated from the code by \`UPDATE=1 npx vitest run test/docs/reference.test.ts\`, and compared with it by the same test.

## Commands

\`npx dashboard-api COMMAND --help\` has the options of a command, with their defaults and examples that work as printed. [For
scripts](operations.md#the-command-line) says what output and exit codes are.

| command | what it does |
|---|---|
${leaves(program)
  .map((command) => `| ${code(usageOf(command))} | ${cell(command.description())} |`)
  .join('\n')}

## Settings of production

From the environment; a flag overrides its variable. \`npx dashboard-api config --check\` checks them.

| variable, flag | default | description |
|---|---|---|
${settingNames
  .map((name) => {
    const { env, flag, description, ...row }: Setting = settingsTable[name]
    const expected = settingSchemas[name].description
    const cells = [flag ? `${code(env)}, ${code(flag)}` : code(env), row.default ? code(row.default) : '']
    return `| ${cells.join(' | ')} | ${cell(`${description}${isPlain(expected) ? '' : ` Expected: ${expected}.`}`)} |`
  })
  .join('\n')}

## State file

Fixtures, seeds, snapshots and exports have the same format. Every list is optional. An invalid file is refused with
the line, the column, the path and the reason of each fault. [state.schema.json](../state.schema.json) is the schema:
\`"$schema": "./node_modules/dashboard-api/state.schema.json"\` lets an editor complete and check a file.

${stateText()}
`

/** Whether the description and the default of a setting already show the expected values. */
const isPlain = (expected?: string) =>
  expected === undefined || /^(true or false|a whole number|the path)/.test(expected)

const code = (text: string) => `\`${text}\``
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The commands without subcommands, in the order of the help. */
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** The words of a command after the program's name, with its arguments. */
function usageOf(command: Command): string {
  const args = command.registeredArguments.map((argument) =>
    argument.required ? ` <${argument.name()}>` : ` [${argument.name()}]`,
  )
  return `${pathOf(command)}${args.join('')}`
}

type Schema = {
  type?: string | string[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  format?: string
}

function stateText(): string {
  const { properties = {} } = z.toJSONSchema(StateFileFormat, { io: 'input' }) as Schema
  const others = Object.entries(properties).filter(([name]) => !(stateKinds as string[]).includes(name))
  const lists = stateKinds.map((kind) => {
    const { properties: fields = {}, required = [] } = properties[kind]?.items ?? {}
    const named = Object.entries(fields).map(
      ([name, field]) => `${code(name)}${required.includes(name) ? '' : '?'}: ${cell(typeOf(field))}`,
    )
    return `| ${code(kind)} | list of ${named.join('; ')} |`
  })
  const top = others.map(([name, field]) => `| ${code(name)} | ${cell(typeOf(field))} |`)
  return ['| key | value; `?` is optional |', '|---|---|', ...top, ...lists].join('\n')
}

function typeOf({ type, const: only, anyOf, items, format }: Schema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `array of ${typeOf(items)}`
  return [[type ?? 'any'].flat().join(' or '), format].filter(Boolean).join(', ')
}

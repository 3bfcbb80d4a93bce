import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { parse } from 'csv-parse'
import { UserError } from '../user-error.js'
import type { WaitlistFormat } from './waitlist-formats.js'

/** What a file has at one place: a value that should be an entry, or what is wrong with the place itself. */
export type Found = { place: string; value: unknown } | { place: string; fault: string }

/**
 * Reads a file of addresses, entry by entry.
 * @param file a path, or `-` for standard input
 * @throws UserError where it cannot be read at all
 */
export async function* readAddresses(file: string, format: WaitlistFormat): AsyncGenerator<Found> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    yield* readers[format](input)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof UserError || !code) throw error
    throw new UserError(
      `${file} cannot be read: ${reasons[code] ?? message}.`,
      'Give the path of a file, or - for standard input.',
    )
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

const readers = { csv: readCsv, json: readJson, ndjson: readNdjson }

/** The first line names the columns; `email` has to be one of them, and `createdAt` may be. */
async function* readCsv(input: Readable): AsyncGenerator<Found> {
  let columns: string[] | undefined
  const skipped: Found[] = []
  const records = input.pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        skipped.push({ place: `line ${error?.lines}`, fault: error?.message ?? 'not CSV' })
      },
    }),
  )
  input.once('error', (error) => records.destroy(error))
  for await (const { info, record } of records as AsyncIterable<{
    info: { lines: number }
    record: string[]
  }>) {
    yield* skipped.splice(0)
    if (columns) {
      const cell = (name: string) => record[columns?.indexOf(name) ?? -1]
      yield {
        place: `line ${info.lines}`,
        value: withoutEscape({ email: cell('email'), createdAt: cell('createdat') }),
      }
      continue
    }
    columns = record.map((name) => name.trim().toLowerCase())
    if (!columns.includes('email')) {
      throw new UserError(
        'The first line of the CSV names no column "email".',
        'Begin the file with a line such as: email',
      )
    }
  }
  yield* skipped
}

/** What an export puts in front of a cell that a spreadsheet would run is taken off again. */
const withoutEscape = ({ email, createdAt }: { email?: string; createdAt?: string }) => ({
  email: email?.replace(/^'(?=[=+\-@\t\r])/, ''),
  ...(createdAt?.trim() && { createdAt: createdAt.trim() }),
})

async function* readJson(input: Readable): AsyncGenerator<Found> {
  const content = (await text(input)).replace(/^\uFEFF/, '')
  const entries = parsed(content)
  if (!Array.isArray(entries)) {
    throw new UserError(
      'The JSON is not an array.',
      'Give an array of addresses, or of objects with an "email".',
    )
  }
  for (const [i, value] of entries.entries()) yield { place: `entry ${i + 1}`, value: asEntry(value) }
}

async function* readNdjson(input: Readable): AsyncGenerator<Found> {
  let line = 0
  for await (const content of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1
    const place = `line ${line}`
    const json = line === 1 ? content.replace(/^\uFEFF/, '') : content
    if (json.trim() === '') continue
    const value = parsed(json)
    yield value === undefined ? { place, fault: 'not JSON' } : { place, value: asEntry(value) }
  }
}

const asEntry = (value: unknown) => (typeof value === 'string' ? { email: value } : value)

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

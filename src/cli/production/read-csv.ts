import { type Options, parse } from 'csv-parse/sync'
import { UserError } from '../user-error.js'

/** A record, and the lines of the file that it takes, from 1. */
export type CsvRecord = { firstLine: number; lastLine: number; cells: string[] }

const options: Options<string[]> = {
  record_delimiter: '\n',
  relax_column_count: true,
  // A quote may be part of an address. As a fault it would hide the next line.
  relax_quotes: true,
  skip_empty_lines: true,
  // Some programs write a space before a quote. With `rtrim`, the parser refuses any other character after one.
  ltrim: true,
}

/**
 * Reads CSV as spreadsheets and other programs write it: lines end with CRLF, LF or CR, also in one file; cells are
 * divided by the character that the line `sep=` names, or by the one that `isHeader` finds a header with.
 * @param isHeader whether the cells of the first record are the expected names of columns
 * @returns all records that have a cell with text, the header too; and `readLine`, which reads one line as a record
 * @throws UserError for a quote that is not closed
 */
export function readCsv(text: string, isHeader: (cells: string[]) => boolean) {
  const lines = text.replaceAll(/\r\n?/g, '\n')
  const [separatorLine = '', named] = /^"?sep=(.)"?\n/i.exec(lines) ?? []
  const body = lines.slice(separatorLine.length)
  const delimiter = named ?? findDelimiter(body, isHeader)
  return {
    records: parseRecords(body, delimiter, separatorLine ? 1 : 0),
    readLine: (line: string) => readLine(line, delimiter),
  }
}

/** The cells of a line; none if a quote is not closed in it. */
function readLine(line: string, delimiter: string): string[] {
  try {
    return parse(line, { ...options, delimiter })[0] ?? []
  } catch {
    return []
  }
}

function parseRecords(body: string, delimiter: string, linesBefore: number): CsvRecord[] {
  const records: CsvRecord[] = []
  try {
    parse(body, {
      ...options,
      delimiter,
      on_record(cells: string[], { lines }) {
        const lastLine = lines + linesBefore
        const firstLine = lastLine - (cells.join().match(/\n/g)?.length ?? 0)
        if (cells.some((cell) => cell.trim())) records.push({ firstLine, lastLine, cells })
      },
    })
  } catch (error) {
    if (Object(error).code !== 'CSV_QUOTE_NOT_CLOSED') throw error
    // The rest is its text, and no line.
    const hint = `Close the quote that opens after line ${records.at(-1)?.lastLine ?? 1}.`
    throw new UserError('A quote of the CSV is not closed.', hint)
  }
  return records
}

/** The characters that divide the cells: a spreadsheet writes a semicolon where the comma is in numbers. */
const delimiters = [',', ';', '\t', '|']
/** A header is shorter, in characters. */
const maxHeader = 64 * 1024

function findDelimiter(body: string, isHeader: (cells: string[]) => boolean): string {
  const [line = ''] = /[^\n]+/.exec(body.slice(0, maxHeader)) ?? []
  return delimiters.find((delimiter) => isHeader(readLine(line, delimiter))) ?? ','
}

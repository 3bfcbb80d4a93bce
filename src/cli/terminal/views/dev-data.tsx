import { Box } from 'ink'
import { keyOf } from '../../../mock/core/state-changes.js'
import { type StateRecord, stateKinds } from '../../../store/state-file.js'
import { fitColumns } from '../../output/fit-columns.js'
import { formatCount } from '../../output/pluralize.js'
import { printable } from '../../output/printable.js'
import { columnsOf, type DataPage, fieldText } from '../dev/data-table.js'
import type { DataScreen } from '../dev/screens.js'
import { formatCells } from './format-cells.js'
import { Text } from './text.js'
import { visibleRange } from './visible-range.js'

type Props = { screen: DataScreen; data?: DataPage; width: number; height: number }

/** The records of a kind as a table, with one field selected. */
export function DevData({ screen, data, width, height }: Props) {
  const page = data?.kind === screen.kind ? data : undefined
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        {stateKinds.map((kind) => (
          <Text key={kind} bold={kind === screen.kind} inverse={kind === screen.kind}>
            {` ${kind} `}
          </Text>
        ))}
        <Text dimColor>{page ? `  ${countText(page)}` : ''}</Text>
        {(screen.isSearching || screen.search !== '') && (
          <Text color="cyan">
            {`  /${printable(screen.search)}`}
            {screen.isSearching && <Text inverse> </Text>}
          </Text>
        )}
      </Text>
      {page && page.records.length > 0 ? (
        <Records {...{ screen, page, width, height: height - 1 }} />
      ) : (
        <Text dimColor>{page ? emptyText(page) : ' '}</Text>
      )}
    </Box>
  )
}

function Records({
  screen,
  page: { records },
  width,
  height,
}: Required<Pick<Props, 'screen' | 'width' | 'height'>> & { page: DataPage }) {
  const selected = Math.min(screen.index, records.length - 1)
  const [start, end] = visibleRange(records.length, selected, height - 1)
  const visible = records.slice(start, end)
  const { columns, widths } = fitFields(screen, visible, width)
  const arrow = screen.sort?.startsWith('-') ? ' ↓' : ' ↑'
  const titles = columns.map((name) => (screen.sort?.replace(/^-/, '') === name ? name + arrow : name))
  return (
    <>
      <Text bold underline wrap="truncate">
        {formatCells(titles, widths).join('')}
      </Text>
      {visible.map((record, i) => (
        <Text key={keyOf(record)} wrap="truncate">
          {formatCells(cellsOf(record, columns), widths).map((cell, column) => (
            <Text
              key={columns[column]}
              bold={start + i === selected}
              inverse={start + i === selected && columns[column] === columnsOf(screen.kind)[screen.column]}
            >
              {cell}
            </Text>
          ))}
        </Text>
      ))}
    </>
  )
}

const cellsOf = (record: StateRecord, columns: string[]): string[] =>
  columns.map((name) => printable(fieldText(record, name)))

/** The columns that fit a width. The first ones are left out until the selected one fits. */
function fitFields({ kind, column, sort }: DataScreen, records: StateRecord[], width: number) {
  const all = columnsOf(kind)
  for (let from = 0; ; from += 1) {
    const columns = all.slice(from)
    const layouts = columns.map((title) => ({
      title: sort?.endsWith(title) ? `${title} ↓` : title,
      shrinks: true,
      minWidth: 12,
    }))
    const cells = records.map((record) => cellsOf(record, columns))
    const widths = fitColumns(layouts, cells, width)
    if (from >= column || widths[column - from] !== 0) return { columns, widths }
  }
}

const countText = ({ total, matched }: DataPage): string =>
  matched === total ? formatCount(total) : `${formatCount(matched)} of ${formatCount(total)}`

const emptyText = ({ total }: DataPage): string =>
  total === 0 ? 'There is no record. + adds one.' : 'No record has this text. Esc clears the search.'

import { Box } from 'ink'
import type { Columns } from '../output/columns.js'
import { terminalSize } from '../output/output.js'
import { formatCount } from '../output/pluralize.js'
import { Table } from '../output/table.js'
import { Text } from '../output/text.js'
import { showUntilEnd } from './live.js'

/**
 * Shows a list that is higher than the terminal, with the keys of a pager, until the user quits.
 * @param loadMore loads the next rows; none at the end of the list
 */
export const showPager = <Row,>(columns: Columns<Row>, firstRows: Row[], loadMore: () => Promise<Row[]>) =>
  showUntilEnd<void>((end, redraw) => {
    const rows = [...firstRows]
    let [first, isComplete, isLoading] = [0, false, false]
    // Beside the header of the table and the status line.
    const pageHeight = () => Math.max(1, terminalSize().height - 2)

    const load = async () => {
      while (!isLoading && !isComplete && first + 2 * pageHeight() >= rows.length) {
        isLoading = true
        const next = await loadMore()
        rows.push(...next)
        isComplete = next.length === 0
        isLoading = false
        redraw()
      }
    }
    const loadOrFail = () => load().catch((error) => end(Promise.reject(error)))
    setImmediate(loadOrFail)

    return {
      press(press) {
        const page = pageHeight()
        const steps: { [key: string]: number } = {
          ...{ down: 1, j: 1, up: -1, k: -1, pageDown: page, ' ': page, pageUp: -page, b: -page },
          ...{ home: Number.NEGATIVE_INFINITY, g: Number.NEGATIVE_INFINITY },
        }
        // A key that is held down arrives as several letters at once.
        for (const key of press.key ? [press.key] : [...(press.text ?? '')]) {
          if (['q', 'interrupt', 'escape'].includes(key)) return end()
          first = Math.max(0, Math.min(first + (steps[key] ?? 0), rows.length - page))
        }
        void loadOrFail()
      },
      view({ width }) {
        const page = rows.slice(first, first + pageHeight())
        const [start, end, all] = [first + 1, first + page.length, rows.length].map(formatCount)
        const more = isComplete ? '' : ' or more'
        return (
          <Box flexDirection="column">
            <Table columns={columns} rows={page} measured={firstRows} width={width} />
            <Text dimColor wrap="truncate">
              {`${start} to ${end} of ${all}${more}   ↑ ↓ space b g to move, q to quit`}
            </Text>
          </Box>
        )
      },
    }
  })

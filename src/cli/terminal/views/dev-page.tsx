import { Box } from 'ink'
import type { PageView } from '../dev/layout.js'
import { Text } from './text.js'

/** The visible rows of a page of text. */
export const DevPage = ({ rows, first, height }: PageView) => (
  <Box flexDirection="column">
    {rows.slice(first, first + height).map(({ label, text, style }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and no state
      <Text key={i} wrap="truncate">
        {label !== undefined && <Text dimColor>{label}</Text>}
        <Text {...styleOf(style)}>{text || ' '}</Text>
      </Text>
    ))}
  </Box>
)

const styleOf = (style: PageView['rows'][number]['style']) =>
  style === 'bold' ? { bold: true } : style === 'dim' ? { dimColor: true } : { color: style }

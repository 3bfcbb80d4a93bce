import { Box } from 'ink'
import { choicesOf } from '../dev/choices.js'
import { keyHints } from '../dev/key-hints.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import type { Screen, Ui } from '../dev/screens.js'
import { listTitle } from '../dev/texts.js'
import { filterChoices } from '../list-state.js'
import { DevDetails } from './dev-details.js'
import { DevFooter } from './dev-footer.js'
import { DevHeader, headerHeight } from './dev-header.js'
import { DevHelp } from './dev-help.js'
import { DevLog } from './dev-log.js'
import { DevPrompt } from './dev-prompt.js'
import { Picker } from './picker.js'

export type DevScreenProps = { mock: MockSnapshot; ui: Ui; width: number; height: number }

const footerHeight = 3

/** On a lower terminal only the log shows the header; the other screens need its lines. */
const minHeightForHeader = 20

/** The screen of `dev`, exactly as high as the terminal. */
export function DevScreen({ mock, ui: { screen, notice }, width, height }: DevScreenProps) {
  const hasHeader = screen.type === 'log' || height >= minHeightForHeader
  const bodyHeight = Math.max(1, height - (hasHeader ? headerHeight(mock) : 0) - footerHeight)
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {hasHeader && <DevHeader mock={mock} width={width} />}
      <Box flexDirection="column" height={bodyHeight} flexShrink={0} overflow="hidden">
        <Box flexDirection="column" flexShrink={0}>
          {body(mock, screen, width, bodyHeight)}
        </Box>
      </Box>
      <DevFooter notice={notice} hints={keyHints(screen)} width={width} />
    </Box>
  )
}

function body(mock: MockSnapshot, screen: Screen, width: number, height: number) {
  switch (screen.type) {
    case 'log':
      return <DevLog mock={mock} selected={screen.selected} width={width} height={height} />
    case 'details':
      return <DevDetails mock={mock} id={screen.id} height={height} />
    case 'list': {
      const { list, filter, index } = screen
      const choices = filterChoices(choicesOf(list, mock), filter)
      const emptyText = filter ? 'No match. Esc clears the filter.' : 'The list is empty.'
      return <Picker {...{ title: listTitle(list), choices, filter, index, emptyText, width, height }} />
    }
    case 'prompt':
      return <DevPrompt screen={screen} mock={mock} />
    case 'help':
      return <DevHelp url={mock.url} />
  }
}

import { Box } from 'ink'
import { choicesOf } from '../dev/choices.js'
import { keyHints } from '../dev/key-hints.js'
import { layoutOf, pageView, scrollPosition } from '../dev/layout.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import type { Screen, Ui } from '../dev/screens.js'
import { listTitle } from '../dev/texts.js'
import { filterChoices } from '../list-state.js'
import type { Size } from '../live.js'
import { DevData } from './dev-data.js'
import { DevFooter } from './dev-footer.js'
import { DevHeader } from './dev-header.js'
import { DevLog } from './dev-log.js'
import { DevPage } from './dev-page.js'
import { DevPrompt } from './dev-prompt.js'
import { Picker } from './picker.js'

export type DevScreenProps = { mock: MockSnapshot; ui: Ui; width: number; height: number }

/** The screen of `dev`, exactly as high as the terminal. */
export function DevScreen({ mock, ui: { screen, notice }, width, height }: DevScreenProps) {
  const size = { width, height }
  const { hasHeader, bodyHeight } = layoutOf(screen, mock, size)
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      {hasHeader && <DevHeader mock={mock} width={width} />}
      <Box flexDirection="column" height={bodyHeight} flexShrink={0} overflow="hidden">
        <Box flexDirection="column" flexShrink={0}>
          {body(mock, screen, size, bodyHeight)}
        </Box>
      </Box>
      <DevFooter notice={notice} hints={keyHints(screen, scrollPosition(screen, mock, size))} width={width} />
    </Box>
  )
}

/** Of a prompt with an error, and the line below it. */
const promptHeight = 7

function body(mock: MockSnapshot, screen: Screen, size: Size, height: number) {
  const { width } = size
  switch (screen.type) {
    case 'log':
      return <DevLog mock={mock} selected={screen.selected} width={width} height={height} />
    case 'details':
    case 'help':
      return <DevPage {...pageView(screen, mock, size)} />
    case 'list': {
      const { list, filter, index } = screen
      const choices = filterChoices(choicesOf(list, mock), filter)
      const emptyText = filter ? 'No match. Esc clears the filter.' : 'The list is empty.'
      return <Picker {...{ title: listTitle(list), choices, filter, index, emptyText, width, height }} />
    }
    case 'data':
      return <DevData screen={screen} data={mock.data} width={width} height={height} />
    case 'prompt':
      return (
        <>
          <DevPrompt screen={screen} mock={mock} />
          {'from' in screen.prompt && (
            <Box marginTop={1}>
              <DevData
                screen={screen.prompt.from}
                data={mock.data}
                width={width}
                height={height - promptHeight}
              />
            </Box>
          )}
        </>
      )
  }
}

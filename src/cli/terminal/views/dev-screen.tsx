import { Box } from 'ink'
import { choicesOf } from '../dev/choices.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import type { Screen, Ui } from '../dev/screens.js'
import { filtered } from '../list-keys.js'
import { DevDetails } from './dev-details.js'
import { DevFooter } from './dev-footer.js'
import { DevHeader, headerHeight } from './dev-header.js'
import { DevHelp } from './dev-help.js'
import { hintOf, titleOf } from './dev-hints.js'
import { DevLog } from './dev-log.js'
import { DevQuestion } from './dev-question.js'
import { Picker } from './picker.js'

export type DevScreenProps = { facts: MockSnapshot; ui: Ui; width: number; height: number }

const footerHeight = 3

/** All that `dev` shows on a terminal, exactly as high as the terminal. */
export function DevScreen({ facts, ui: { screen, notice }, width, height }: DevScreenProps) {
  const bodyHeight = Math.max(1, height - headerHeight(facts) - footerHeight)
  return (
    <Box flexDirection="column" width={width} height={height} overflow="hidden">
      <DevHeader facts={facts} width={width} />
      <Box flexDirection="column" height={bodyHeight} flexShrink={0} overflow="hidden">
        {body(facts, screen, width, bodyHeight)}
      </Box>
      <DevFooter notice={notice} hints={hintOf(screen)} width={width} />
    </Box>
  )
}

function body(facts: MockSnapshot, screen: Screen, width: number, height: number) {
  switch (screen.is) {
    case 'log':
      return <DevLog facts={facts} selected={screen.selected} width={width} height={height} />
    case 'details':
      return <DevDetails facts={facts} id={screen.id} height={height} />
    case 'list': {
      const { list, filter, index } = screen
      const choices = filtered(choicesOf(list, facts), filter)
      const nothing = filter
        ? 'Nothing has these letters; Escape forgets them.'
        : 'There is nothing to choose from yet.'
      const title = titleOf(list)
      return <Picker {...{ title, choices, filter, index, nothing, width, height }} />
    }
    case 'question':
      return <DevQuestion screen={screen} facts={facts} />
    case 'help':
      return <DevHelp url={facts.url} />
  }
}

import { Box } from 'ink'
import { saidOf } from '../../../mock/controls/control-words.js'
import type { RunnableControls } from '../../../mock/controls/run-control.js'
import { letters } from '../key-press.js'
import { type Screen, showLive } from '../live.js'
import { Text } from '../text.js'
import type { DevScreen, Workbench } from './dev-screen.js'
import { Header } from './header.js'
import { logScreen } from './log-screen.js'
import { type MockSnapshot, readMockSnapshot } from './mock-snapshot.js'

/** Creates the screen of `dev`, exactly as high as the terminal. */
export async function createWorkbench(
  url: string,
  controls: RunnableControls,
  { redraw, quit }: Pick<Workbench, 'redraw' | 'quit'>,
) {
  let mock: MockSnapshot = { url, ...(await readMockSnapshot(controls)) }
  let notice: { type: 'success' | 'error'; text: string } | undefined
  const update = (changes: Partial<MockSnapshot>) => {
    mock = { ...mock, ...changes }
    redraw()
  }
  const notify: Workbench['notify'] = (type, text) => {
    notice = { type, text }
    redraw()
  }
  const open: Workbench['open'] = (next) => {
    screen = next
  }
  const fail = ({ message }: Error) => notify('error', message)
  const refresh = () => readMockSnapshot(controls, mock.log).then(update, fail)
  const openLog = () => open(log)
  const run: Workbench['run'] = (action) => {
    const from = screen
    action()?.then((report) => {
      // Unless another screen was opened meanwhile.
      if (screen === from) openLog()
      notify('success', report)
      return refresh()
    }, fail)
  }
  const perform: Workbench['perform'] = async (control, input) => {
    const { output, step } = await controls.run(control, input)
    return [saidOf(control, step, input), Object(output).warning].filter(Boolean).join(' ')
  }
  const log = logScreen({ controls, mock: () => mock, open, openLog, run, perform, notify, redraw, quit })
  let screen: DevScreen = log

  const workbench: Screen = {
    press(press) {
      notice = undefined
      if (press.key === 'interrupt') quit()
      // Each letter may be a key that opens another screen.
      else for (const each of letters(press)) screen.press(each)
    },
    view({ width, height }) {
      // On a low terminal only the log has room for the header.
      const hasHeader = screen === log || height >= 20
      const body = Math.max(1, height - (hasHeader ? 8 : 3))
      return (
        <Box flexDirection="column" width={width} height={height} overflow="hidden">
          {hasHeader && <Header mock={mock} width={width} />}
          <Box flexDirection="column" height={body} flexShrink={0} overflow="hidden">
            <Box flexDirection="column" flexShrink={0}>
              {screen.view({ width, height: body })}
            </Box>
          </Box>
          <Text dimColor>{'─'.repeat(width)}</Text>
          <Text wrap="truncate" color={(notice?.type ?? 'error') === 'error' ? 'red' : 'green'}>
            {notice?.text ?? mock.fixtureError ?? ' '}
          </Text>
          <Text wrap="truncate">
            {Object.entries(screen.hints()).map(([key, label]) => (
              <Text key={key}>
                <Text bold>{key}</Text> <Text dimColor>{label}</Text>
                {'  '}
              </Text>
            ))}
          </Text>
        </Box>
      )
    },
  }
  return { ...workbench, update, refresh, notify }
}

/** Shows a running mock on the terminal until `stop`. `ended` settles when the user quits, and rejects if rendering fails. */
export async function showWorkbench(url: string, controls: RunnableControls) {
  let redraw = () => {}
  let quit = () => {}
  const quitted = new Promise<void>((resolve) => {
    quit = resolve
  })
  const workbench = await createWorkbench(url, controls, { redraw: () => redraw(), quit })
  let timer: NodeJS.Timeout | undefined
  // The state is read every 50 ms at most.
  const refresh = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void workbench.refresh()
    }, 50)
  }
  const unsubscribe = [controls.onChange(refresh), controls.log.subscribe(refresh)]
  const live = showLive(workbench, (text) => workbench.notify('error', text.trim().split('\n')[0] ?? ''))
  redraw = live.redraw
  return {
    /** Shows a sentence until the next key. */
    notify: workbench.notify,
    /** Shows an error of the fixture file; removes it if called without one. */
    setFixtureError: (fixtureError?: string) => workbench.update({ fixtureError }),
    ended: Promise.race([quitted, live.ended]),
    stop() {
      for (const end of unsubscribe) end()
      clearTimeout(timer)
      return live.stop()
    },
  }
}

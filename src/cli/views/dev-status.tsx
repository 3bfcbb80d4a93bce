import { Box, Text } from 'ink'
import type { DevRequest } from '../dev-request.js'
import { Table } from './table.js'

export type DevStatusProps = {
  url: string
  /** The port that was asked for, where another was taken instead. */
  takenPort?: number
  active: string | undefined
  /** Commands to try. */
  tryNext: string[]
  /** The latest first. */
  requests: DevRequest[]
  /** The terminal's size. */
  width: number
  height: number
}

const columns = [
  { title: 'Method' },
  { title: 'Path', yields: true },
  { title: 'Status' },
  { title: 'Code' },
  { title: 'ms' },
  { title: 'Session', yields: true },
]

/** The most lines that are not requests. A frame as high as the terminal could not be drawn over. */
const linesAround = 15

/** What `dev` shows while it runs. */
export function DevStatus({ url, takenPort, active, tryNext, requests, width, height }: DevStatusProps) {
  const shown = requests.slice(0, Math.max(1, height - linesAround))
  const cells = shown.map(({ method, path, status, code = '', ms, session = '' }) => [
    method,
    path,
    String(status),
    code,
    String(ms),
    session,
  ])
  return (
    <Box flexDirection="column" paddingY={1}>
      <Text>
        <Text bold>dashboard-api mock</Text> at <Text color="cyan">{url}</Text>
      </Text>
      {takenPort && <Text color="yellow">Port {takenPort} is taken, so the next free one is used.</Text>}
      <Text>
        session=active is <Text color="green">{active ?? 'nobody: the fixtures have no session'}</Text>
      </Text>
      <Box flexDirection="column" marginY={1}>
        {tryNext.map((command) => (
          <Text key={command} dimColor>
            {`  ${command}`}
          </Text>
        ))}
      </Box>
      <Table columns={columns} cells={cells} nothing="No request yet." width={width} />
      <Box marginTop={1}>
        <Text dimColor>q quits</Text>
      </Box>
    </Box>
  )
}

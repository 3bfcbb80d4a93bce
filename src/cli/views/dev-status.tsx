import { Box, Text } from 'ink'
import type { RequestEntry } from '../../mock/core/operation-routes.js'
import { Table } from './table.js'

export type DevStatusProps = {
  url: string
  /** The port that was asked for, where another was taken instead. */
  takenPort?: number
  active: string | undefined
  /** Commands to try. */
  tryNext: string[]
  /** The latest first. */
  requests: RequestEntry[]
  /** The terminal's width. */
  width: number
}

const columns = [
  { title: 'Method' },
  { title: 'Path', yields: true },
  { title: 'Status' },
  { title: 'Code' },
  { title: 'ms' },
  { title: 'Session', yields: true },
]

/** What `dev` shows while it runs. */
export function DevStatus({ url, takenPort, active, tryNext, requests, width }: DevStatusProps) {
  const cells = requests.map(({ method, path, status, code = '', ms, session = '' }) => [
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

import type { Timed } from './find-order.js'

/** What a client did to the projects of a team, and what it was told. */
export type TeamOperation = Timed &
  (
    | { kind: 'create'; key: string; name: string; isTaken?: boolean }
    | { kind: 'update'; key: string; value: string }
    | { kind: 'read'; seen: Map<string, string> }
  )

/** The operations that matter, and the model that judges them. */
export function teamModel(history: TeamOperation[]): {
  operations: TeamOperation[]
  model: { initial: string; apply(state: string, operation: TeamOperation): string | undefined }
}

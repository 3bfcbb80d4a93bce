/** What a drill found: see `drills.js`. */
export type DrillResult = { figure?: string; faults: string[]; control?: string }

/** Runs a drill in a process of its own. */
export function startDrill(
  drill: { name: string },
  options: {
    rounds: number
    seed: number
    isQuick: boolean
    makesControl: boolean
    timeLimitMs: number
    env?: Record<string, string>
  },
): { result: Promise<DrillResult>; finish(): void; abort(): Promise<void> }

import { Interrupted, watchSignals } from '../signals.js'
import { canShowProgress, printJson, printMessage, writeStatus } from './output.js'
import { formatCount } from './pluralize.js'

/** A step of work. Progress is shown once its total is known. */
export type Work = {
  /** The name of the counted records, in the plural. */
  unit: string
  total?: number | undefined
  /** The name of the step, for `--json`. */
  step?: string
}

type Progress = Work & { done: number; elapsedMs: number }

/** The rate, and the remaining time at that rate. */
function estimate({ done, total = 0, elapsedMs }: Progress) {
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0
  const secondsLeft = perSecond > 0 ? Math.ceil(Math.max(0, total - done) / perSecond) : 0
  return { perSecond: Math.round(perSecond), secondsLeft }
}

const barWidth = 24

/** The progress with its rate and the remaining time. @param hasBar whether it begins with a bar */
export function progressLine(progress: Progress, hasBar: boolean): string {
  const { done, total = 0, unit } = progress
  const fraction = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.floor(fraction * barWidth)).padEnd(barWidth, '░')
  const { perSecond, secondsLeft } = estimate(progress)
  const time = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`
  const counts = `${formatCount(done)} of ${formatCount(total)} ${unit}  ${formatCount(perSecond)}/s`
  const percent = `${hasBar ? `${bar} ` : ''}${Math.floor(fraction * 100)} %`
  return `${percent}  ${counts}${done > 0 ? `  ${time} left` : ''}`
}

type Options = {
  /** Prints progress to stdout as JSON lines. */
  json?: boolean
  /** Creates the error that is thrown after a signal, between two reports. Without it a signal ends the process. */
  interrupted?(signal: NodeJS.Signals, done: number): Error
}

/** Shorter work shows no progress on a terminal, in milliseconds. */
const showAfterMs = 300

/** The time between two events of `--json`, in milliseconds. */
const eventEveryMs = 1000

/**
 * Does work and shows its progress on stderr: on a terminal in one line, otherwise in a new line every ten seconds.
 * @param work the first step
 * @param act calls `report` after each part, and names the step if another one began
 * @throws the error of `interrupted`, and those of `act`
 */
export async function withProgress<Result>(
  work: Work,
  { json = false, interrupted }: Options,
  act: (report: (done: number, next?: Work) => void) => Promise<Result>,
): Promise<Result> {
  const signal = interrupted && watchSignals()
  const isLive = canShowProgress()
  let [current, done, startedAt, eventAt] = [work, 0, performance.now(), Number.NEGATIVE_INFINITY]
  let isShown = false

  const progress = (): Progress => ({ ...current, done, elapsedMs: performance.now() - startedAt })
  const showLine = () => {
    if (current.total === undefined) return
    if (!isLive) return printMessage(progressLine(progress(), false))
    if (progress().elapsedMs < showAfterMs) return
    isShown = true
    writeStatus(progressLine(progress(), true))
  }
  const printEvent = (event: string, more: object = {}) => {
    eventAt = performance.now()
    printJson({ event, step: current.step, done, total: current.total, ...more })
  }

  const timer = json ? undefined : setInterval(showLine, isLive ? 100 : 10_000)
  try {
    return await act((count, next = current) => {
      const isOther = next.step !== current.step || next.total !== current.total
      if (isOther) startedAt = performance.now()
      current = next
      done = count
      if (json && (isOther || performance.now() - eventAt >= eventEveryMs)) {
        printEvent('progress', estimate(progress()))
      }
      if (signal?.aborted && done !== next.total) throw interrupted?.(signal.reason, done)
    })
  } catch (error) {
    if (json && error instanceof Interrupted) printEvent('interrupted')
    throw error
  } finally {
    clearInterval(timer)
    if (isShown) writeStatus('')
  }
}

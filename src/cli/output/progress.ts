import { Interrupted, watchSignals } from '../signals.js'
import { canShowProgress, printJson, printMessage, writeStatus } from './output.js'
import { formatCount } from './pluralize.js'

export type Progress = {
  done: number
  /** Undefined if it is not known. */
  total?: number | undefined
  /** What is counted, in the plural. */
  unit: string
  /** In milliseconds. */
  elapsedMs: number
}

/** The rate so far, and the remaining time at that rate. */
export function estimate({ done, total, elapsedMs }: Omit<Progress, 'unit'>) {
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0
  const isKnown = total !== undefined && perSecond > 0
  return { perSecond, secondsLeft: isKnown ? Math.max(0, total - done) / perSecond : undefined }
}

const barWidth = 24
const spinnerFrames = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']

/** A bar with the rate and the remaining time; a spinner if the total is not known. */
export function progressLine(progress: Progress): string {
  const { done, total, elapsedMs } = progress
  if (total === undefined) {
    return `${spinnerFrames[Math.floor(elapsedMs / 100) % spinnerFrames.length]} ${progressText(progress)}`
  }
  const filled = Math.floor(fractionOf(done, total) * barWidth)
  return `${'█'.repeat(filled) + '░'.repeat(barWidth - filled)} ${progressText(progress)}`
}

/** The same for a pipe, without a bar. */
export function progressText({ done, total, unit, elapsedMs }: Progress): string {
  const { perSecond, secondsLeft } = estimate({ done, total, elapsedMs })
  const rate = `${formatCount(Math.round(perSecond))}/s`
  if (total === undefined) return `${formatCount(done)} ${unit}  ${rate}`
  const percent = Math.floor(fractionOf(done, total) * 100)
  const left = secondsLeft === undefined ? '' : `  ${minutesAndSeconds(secondsLeft)} left`
  return `${percent} %  ${formatCount(done)} of ${formatCount(total)} ${unit}  ${rate}${left}`
}

const fractionOf = (done: number, total: number): number => (total === 0 ? 1 : Math.min(1, done / total))

/** `0:07`, `12:30`. */
function minutesAndSeconds(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** What is counted. */
export type Work = {
  unit: string
  total?: number | undefined
  /** The name of the step, for `--json`. */
  step?: string
}

type Options = {
  /** Prints JSON lines to stdout instead. */
  json?: boolean
  /** The error that a signal stops the work with, between two steps; without it a signal ends the process. */
  interrupted?(signal: NodeJS.Signals, done: number): Error
}

/**
 * Does work, and shows its progress on stderr: in one line of a terminal, else in a line every ten seconds.
 * @param work what is counted first
 * @param act calls `report` after each part, with the next work where that is another one
 * @throws what `interrupted` makes; nothing else of its own
 */
export async function withProgress<Result>(
  work: Work,
  { json = false, interrupted }: Options,
  act: (report: (done: number, next?: Work) => void) => Promise<Result>,
): Promise<Result> {
  const signal = interrupted && watchSignals()
  const start = json ? printEvents : showLine
  let current = work
  let shown = start(work)
  try {
    const result = await act((done, next = current) => {
      if (next.step !== current.step || next.total !== current.total) {
        shown.stop()
        shown = start(next)
      }
      current = next
      shown.report(done)
      if (signal?.aborted && done !== next.total) throw interrupted?.(signal.reason, done)
    })
    shown.stop()
    return result
  } catch (error) {
    shown.stop(error)
    throw error
  }
}

/** Work that ends sooner shows no progress, in milliseconds. */
const showAfterMs = 300

/** Between two lines of progress where no line can be replaced, in milliseconds. */
const lineEveryMs = 10_000

/** Between two events of `--json`, in milliseconds. */
const eventEveryMs = 1000

type Shown = { report(done: number): void; stop(error?: unknown): void }

function showLine({ unit, total }: Work): Shown {
  const started = performance.now()
  const isLive = canShowProgress()
  let done = 0
  let isShown = false
  const show = () => {
    const progress = { done, total, unit, elapsedMs: performance.now() - started }
    if (!isLive) return printMessage(progressText(progress))
    if (progress.elapsedMs < showAfterMs) return
    isShown = true
    writeStatus(progressLine(progress))
  }
  const timer = setInterval(show, isLive ? 100 : lineEveryMs)
  return {
    report(count) {
      done = count
    },
    stop() {
      clearInterval(timer)
      if (isShown) writeStatus('')
    },
  }
}

/** An interruption is an event too. */
function printEvents({ total, step }: Work): Shown {
  const started = performance.now()
  let printedAt = Number.NEGATIVE_INFINITY
  let last = { ...(step && { step }), done: 0, total }
  return {
    report(done) {
      last = { ...last, done }
      const now = performance.now()
      if (now - printedAt < eventEveryMs) return
      printedAt = now
      const { perSecond, secondsLeft = 0 } = estimate({ done, total, elapsedMs: now - started })
      const rate = { perSecond: Math.round(perSecond), secondsLeft: Math.ceil(secondsLeft) }
      printJson({ event: 'progress', ...last, ...rate })
    },
    stop(error) {
      if (error instanceof Interrupted) printJson({ event: 'interrupted', ...last })
    },
  }
}

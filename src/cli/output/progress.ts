import { canShowProgress, writeStatus } from './output.js'
import { formatCount } from './pluralize.js'

export type Progress = {
  done: number
  /** Undefined if it is not known. */
  total?: number
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
export function progressLine({ done, total, unit, elapsedMs }: Progress): string {
  const { perSecond, secondsLeft } = estimate({ done, total, elapsedMs })
  const rate = `${formatCount(Math.round(perSecond))}/s`
  if (total === undefined) {
    const spinner = spinnerFrames[Math.floor(elapsedMs / 100) % spinnerFrames.length]
    return `${spinner} ${formatCount(done)} ${unit}  ${rate}`
  }
  const fraction = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(fraction * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const counts = `${Math.floor(fraction * 100)} %  ${formatCount(done)} of ${formatCount(total)} ${unit}`
  const left = secondsLeft === undefined ? '' : `  ${minutesAndSeconds(secondsLeft)} left`
  return `${bar} ${counts}  ${rate}${left}`
}

/** `0:07`, `12:30`. */
function minutesAndSeconds(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export type ProgressReporter = {
  report(done: number): void
  /** Clears the line. */
  stop(): void
}

/** Work that ends sooner shows no progress, in milliseconds. */
const showAfterMs = 300

/** Shows progress on stderr if it is a terminal. Without a total it shows a spinner. */
export function showProgress(unit: string, total?: number): ProgressReporter {
  if (!canShowProgress()) return { report() {}, stop() {} }
  const started = performance.now()
  let done = 0
  let isShown = false
  const timer = setInterval(() => {
    const elapsedMs = performance.now() - started
    if (elapsedMs < showAfterMs) return
    isShown = true
    writeStatus(progressLine({ done, total, unit, elapsedMs }))
  }, 100)
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

import type { DrillResult } from './drill-process.js'

/** What a row of the report is made of. */
export type ReportedDrill = DrillResult & {
  name: string
  promise: string
  fault: string
  target: string
  rounds: number
  command: string
}

/** A report with the rows of the drills that were made now, and the other rows of an earlier report. */
export function reportOf(results: ReportedDrill[], earlier: string): string

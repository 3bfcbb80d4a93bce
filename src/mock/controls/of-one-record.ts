import { StateError } from '../../store/state-file.js'

/** The faults of an edit of one record: only their fields are named, not the place of the record in a state file. */
export async function ofOneRecord<Result>(edit: Promise<Result>): Promise<Result> {
  return edit.catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error
    const faults = error.faults.map(({ path, reason }) => ({
      path: path.replace(/^\w+\[\d+\]\.?/, ''),
      reason: reason.replace(/ is already at \w+\[\d+\]$/, ' exists already'),
    }))
    throw new StateError(faults, error.hasMore)
  })
}

import { countEdits } from './count-edits.js'
import { settingVariables } from './settings-table.js'

const prefix = 'DASHBOARD_API_'
/** The variable that names a running mock, for its commands; and those of the tests of this package. */
const others = /^DASHBOARD_API_(URL|BIN|TEST_.*)$/

/** A sentence for each variable that looks like a setting and is none, with the setting that may be meant. */
export const unknownVariables = (env: Record<string, string | undefined>): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !settingVariables.includes(name) && !others.test(name))
    .map((name) => {
      const meant = closest(name)
      return `${name} is no setting.${meant ? ` Did you mean ${meant}?` : ''}`
    })

/** The most edits of a misspelt name, of which one of six letters has two. */
const maxEdits = (name: string) => Math.max(1, Math.floor((name.length - prefix.length) / 3))

function closest(name: string): string | undefined {
  const candidates = settingVariables.map((each) => ({ each, edits: countEdits(name, each) }))
  const [best] = candidates.sort((a, b) => a.edits - b.edits)
  return best && best.edits <= maxEdits(name) ? best.each : undefined
}

import { parseState, type State } from '../store/state-file.js'

/** The state saved in the page's local storage. @param baseUrl identifies the mock if a page has several */
export function savedState(baseUrl: string) {
  const key = `dashboard-api:${baseUrl}`
  return {
    read(): State | undefined {
      try {
        const text = localStorage.getItem(key)
        return text === null ? undefined : parseState(JSON.parse(text))
      } catch (error) {
        // The saved state stays until the next change, for inspection. A page may have no storage at all.
        console.warn(
          `The saved state "${key}" cannot be used; the fixtures are loaded instead. ${(error as Error).message}`,
        )
        return undefined
      }
    },
    write(state: State) {
      try {
        localStorage.setItem(key, JSON.stringify(state))
      } catch (error) {
        console.warn(
          `The state could not be saved and lasts only until the next reload. ${(error as Error).message}`,
        )
      }
    },
  }
}

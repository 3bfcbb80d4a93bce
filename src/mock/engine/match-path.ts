import { matchRequestUrl } from 'msw'
import { patternOf } from './target-name.js'

/** Whether the path of a target matches a URL. @param home the origin of a path without one */
export function matchesPath(url: string, path: string, home: string | undefined): boolean {
  try {
    return matchRequestUrl(new URL(url), patternOf(path), home).matches
  } catch {
    return false
  }
}

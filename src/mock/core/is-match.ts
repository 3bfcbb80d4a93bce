// Apart from names and outcomes, which commands load without MSW.
import { matchRequestUrl } from 'msw'

/** Whether a URL matches a path of MSW; undefined if the path is none, such as `/c++`, or the URL cannot be decoded. */
export function isMatch(url: string, path: string, home = url): boolean | undefined {
  try {
    return matchRequestUrl(new URL(url), path, home).matches
  } catch {
    return undefined
  }
}

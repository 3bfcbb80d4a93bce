/**
 * Checks that this Node can run the installed version of MSW, which npm checks at most by a warning.
 * @param server of `setupServer`: in MSW 3 it has a `readyState`, in MSW 2 it has none
 * @throws Error for MSW 3 in a Node before 22.12, where each request would fail with `Promise.withResolvers is not a function`
 */
export function checkNode(server: object, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (!('readyState' in server) || major > 22 || (major === 22 && minor >= 12)) return
  throw new Error(
    `The installed msw is version 3, which needs Node 22.12 or later. This is Node ${version}: update Node, or install msw@2.`,
  )
}

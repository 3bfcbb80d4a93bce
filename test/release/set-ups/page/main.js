// "In a page" of docs/mock-set-ups.md; without a mock in the page where Vite serves one.
if (import.meta.env.MODE === 'page') {
  const { startMockApi } = await import('dashboard-api/browser')
  const { mockPanel } = await import('dashboard-api/panel')
  const mock = await startMockApi({ session: 'acme-owner', persist: true })
  mockPanel(mock)
}
if (import.meta.env.MODE === 'recipes') {
  const { startMockApi } = await import('dashboard-api/browser')
  const { handlers, recipes } = await import('./msw-recipes.js')
  await startMockApi({ session: 'acme-owner', handlers, quiet: true })
  globalThis.played = {}
  for (const [name, { play, notByMsw }] of Object.entries(recipes)) {
    if (!notByMsw) globalThis.played[name] = await play(fetch).catch(String)
  }
}
const me = await (await fetch('/v1/auth/me')).json()
document.title = me.user?.email ?? 'signed out'

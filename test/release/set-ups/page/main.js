// "In a page" of docs/mock-set-ups.md; without a mock in the page where Vite serves one.
if (import.meta.env.MODE === 'page') {
  const { startMockApi } = await import('dashboard-api/browser')
  const { mockPanel } = await import('dashboard-api/panel')
  const mock = await startMockApi({ session: 'acme-owner', persist: true })
  mockPanel(mock)
}
const me = await (await fetch('/v1/auth/me')).json()
document.title = me.user?.email ?? 'signed out'

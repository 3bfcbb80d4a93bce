// Exported so that importing the name fails with this message instead of a SyntaxError.
export const startMockApi = (() => {
  throw new Error('dashboard-api/browser runs in a page. In Node, in tests too, import dashboard-api/node.')
})()

// The name is there so that an import of it comes as far as this sentence.
export const startMockApi = (() => {
  throw new Error('dashboard-api/browser runs in a page. In Node, in tests too, import dashboard-api/node.')
})()

// Exported so that importing the name fails with this message instead of a SyntaxError.
export const createMockServer = (() => {
  throw new Error(
    'dashboard-api/node runs in Node. In a page, import dashboard-api/browser. ' +
      'In Jest with jsdom, set preset to "dashboard-api", or testEnvironment to "jest-fixed-jsdom".',
  )
})()

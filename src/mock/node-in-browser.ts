// The name is there so that an import of it comes as far as this sentence.
export const createMockServer = (() => {
  throw new Error(
    'dashboard-api/node runs in Node. In a page, import dashboard-api/browser. ' +
      'In Jest with jsdom, set testEnvironmentOptions.customExportConditions to [""].',
  )
})()

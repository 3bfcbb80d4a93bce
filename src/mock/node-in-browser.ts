throw new Error('dashboard-api/node runs in Node. In a page, import dashboard-api/browser.')

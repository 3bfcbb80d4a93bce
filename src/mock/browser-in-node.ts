throw new Error('dashboard-api/browser runs in a page. In Node, in tests too, import dashboard-api/node.')

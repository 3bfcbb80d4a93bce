'use client'

import { useEffect } from 'react'
import { start } from '../src/start.js'

// React runs an effect twice in development.
const once = { started: undefined }

export default function Page() {
  useEffect(() => {
    once.started ??= start()
  }, [])
}

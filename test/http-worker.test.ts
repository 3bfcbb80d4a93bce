import { testHttp } from './http-suite/run.js'
import { startWorker } from './http-suite/start-worker.js'

testHttp('the worker in a page', 'mock', startWorker)

import { testHttp } from './run.js'
import { startWorker } from './start-worker.js'

testHttp('the worker in a page', 'mock', startWorker)

import { testSameAnswers } from './same-answers.js'
import { startProduction } from './start-production.js'

testSameAnswers(startProduction)

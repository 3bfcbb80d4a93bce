// The names of MSW that recipes use, from the modules of MSW 2. MSW 3 has `graphql` in a module of its own.
export { graphql } from 'msw'

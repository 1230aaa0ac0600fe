import { defineConfig } from 'vitest/config'

/** Projects of real tools, from PyPI and npm: which code their frozen runs use, and whether the tree stays as it is. */
export default defineConfig({
  test: {
    include: ['test/environments/**/*.test.ts'],
    // It tries what ENVIRONMENTS names, see tools.ts.
    exclude: process.env.ENVIRONMENTS ? [] : ['test/environments/asked.test.ts'],
    globalSetup: ['test/build.ts', 'test/environments/tools.ts'],
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})

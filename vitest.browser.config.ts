import { defineConfig } from 'vitest/config'

/** The tests of the pages in a real browser. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/build.ts'],
    // As in vitest.config.ts.
    env: { NODE_EXTRA_CA_CERTS: '' },
    // A limit against hanging, not a measure of speed.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})

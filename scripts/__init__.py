"""Commands of the source tree: the test suites."""

"""A real Kubernetes with a real Kueue on loopback, for tests and for re-recording the sandbox's story.

`python -m tests.testbed build` builds it once from Go modules (only Go is needed); `tests.testbed.rig.Rig` starts it in about ten seconds.
Nothing here is imported by the product.
"""

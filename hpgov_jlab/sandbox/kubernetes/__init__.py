"""The Kubernetes far end of the sandbox: replays a recording over HTTPS. RBAC, lists, paging, self-reviews and faults are ours; scheduling never is."""

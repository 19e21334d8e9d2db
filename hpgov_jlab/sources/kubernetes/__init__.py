"""Reading one Kubernetes API server: transport and guard, discovery, Kueue's objects, tasks, namespaces, self-reviews. Knows nothing of AWS."""

"""Reading one Slurm cluster as the user: the site's own client binaries, or slurmrestd with the user's own token. Knows nothing of AWS and Kubernetes."""

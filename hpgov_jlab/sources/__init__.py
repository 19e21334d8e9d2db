"""One folder per outside system: all I/O lives here and nowhere else."""

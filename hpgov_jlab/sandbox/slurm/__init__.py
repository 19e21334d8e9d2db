"""A Slurm cluster for the sandbox, without Slurm: stand-ins for the client commands, run by the product's own command runner."""

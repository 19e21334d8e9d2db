"""The reads on a real Slurm. Needs root, makes users, and runs under CI or on request: HPGOV_SLURM_RIG=1 pytest tests/slurm_rig (see rig.sh)."""

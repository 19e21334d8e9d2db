"""Measurements of what the design promises about cost. `python -m bench --list` names them; docs/benchmarks.md says what each is about."""

"""Property tests run without a stored database and without a wall-clock limit, also for making the examples: two runs on a busy machine must say the same."""

from hypothesis import HealthCheck, settings

settings.register_profile("hpgov", deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("hpgov")

"""Property tests run without a stored database and without a wall-clock limit: two runs on a busy machine must say the same."""

from hypothesis import settings

settings.register_profile("hpgov", deadline=None, database=None, derandomize=True)
settings.load_profile("hpgov")

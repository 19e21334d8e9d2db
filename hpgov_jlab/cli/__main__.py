"""`python -m hpgov_jlab.cli`: the same as `jupyter hpgov`, where the script is not on the path."""

import sys

from . import main

sys.exit(main())

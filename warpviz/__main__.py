"""`python -m warpviz` is `warpviz`."""

import sys

from warpviz.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""Speed, as ratios taken in one run against a named baseline. `python -m tests.bench` prints them."""

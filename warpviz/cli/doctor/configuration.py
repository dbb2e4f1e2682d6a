"""The user's configuration, as several checks need it."""

from __future__ import annotations

from warpviz.tui.config import DEFAULTS, Config, ConfigError, user_config
from warpviz.tui.keys import KEY_TABLES


def read_configuration() -> tuple[Config, str]:
    """What the program follows, and what is wrong with it: a sentence, with the defaults beside it; else empty."""
    try:
        return user_config(KEY_TABLES), ""
    except (ConfigError, OSError) as error:  # OSError: its folder may not be looked into
        return DEFAULTS, str(error)

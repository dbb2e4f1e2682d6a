"""The user's configuration: a TOML file in the place that the platform has for it.

    theme = "contrast"       # dark, light, contrast
    ascii = true             # draw with ASCII alone
    colours = "256"          # auto, rgb, 256, 16, mono
    motion = "reduced"       # full, reduced

    [keys]                   # what each action is called, and its keys
    play = "space,k"

The environment goes before it (NO_COLOR, WARPVIZ_ASCII, WARPVIZ_MOTION), and it before what the program finds out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from warpviz.resources import read_toml

if TYPE_CHECKING:
    from warpviz.tui.keys import Key
    from warpviz.tui.palette import Depth, Theme
    from warpviz.tui.render.text import Motion

Value = TypeVar("Value")

_LARGEST_FILE_BYTES = 100_000
_THEMES: dict[object, Theme] = {"dark": "dark", "light": "light", "contrast": "contrast"}
_MOTIONS: dict[object, Motion] = {"full": "full", "reduced": "reduced"}
_DEPTHS: dict[object, Depth | None] = {"auto": None, "rgb": "rgb", "256": "cube", "16": "ansi", "mono": "mono"}
_SETTINGS = ("theme", "ascii", "colours", "motion", "keys")


class ConfigError(Exception):
    """The configuration cannot be followed: one sentence that names the place and the mend."""


@dataclass(frozen=True)
class Config:
    """What the user wishes; None where the program is to find out. keymap: binding id -> keys as Textual names them."""

    theme: Theme = "dark"
    ascii: bool | None = None
    colours: Depth | None = None
    motion: Motion = "full"
    keymap: Mapping[str, str] = field(default_factory=dict)


DEFAULTS = Config()


def user_config(tables: Sequence[Sequence[Key]]) -> Config:
    """The configuration in the file that WARPVIZ_CONFIG names, else in the platform's place; DEFAULTS without a file.

    tables: the keys of each screen. Raises ConfigError.
    """
    if named := os.environ.get("WARPVIZ_CONFIG"):
        return read_config(Path(named), tables)
    path = config_path()
    return read_config(path, tables) if path.is_file() else DEFAULTS


def config_path() -> Path:
    """Where the configuration is looked for."""
    import platformdirs

    return platformdirs.user_config_path("warpviz") / "config.toml"


def read_config(path: Path, tables: Sequence[Sequence[Key]]) -> Config:
    """Read and check a configuration file. tables: the keys of each screen. Raises ConfigError."""
    try:
        table = read_toml(path, _LARGEST_FILE_BYTES)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from error
    for name in table:
        if name not in _SETTINGS:
            raise ConfigError(f"{path}: {name} is no setting; the settings are {', '.join(_SETTINGS)}")
    return Config(
        theme=_choice(path, table, "theme", _THEMES, "dark"),
        ascii=_choice(path, table, "ascii", {True: True, False: False}, None),
        colours=_choice(path, table, "colours", _DEPTHS, None),
        motion=_choice(path, table, "motion", _MOTIONS, "full"),
        keymap=_keymap(path, table.get("keys", {}), tables),
    )


def choose_motion(wished: Motion, environ: Mapping[str, str] | None = None) -> Motion:
    """How much moves: as WARPVIZ_MOTION says, else as is wished. Raises ConfigError for another value of it."""
    said = (os.environ if environ is None else environ).get("WARPVIZ_MOTION")
    if not said:
        return wished
    if said not in _MOTIONS:
        raise ConfigError(f"WARPVIZ_MOTION is {said!r}; set it to {' or '.join(map(str, _MOTIONS))}")
    return _MOTIONS[said]


def _choice(path: Path, table: Mapping[str, Any], name: str, choices: Mapping[object, Value], default: Value) -> Value:
    if name not in table:
        return default
    given = table[name]
    if type(given) is type(next(iter(choices))) and given in choices:
        return choices[given]
    known = " or ".join(_toml(choice) for choice in choices)
    raise ConfigError(f"{path}: {name} is {_toml(given)}; write {known}")


def _keymap(path: Path, given: object, tables: Sequence[Sequence[Key]]) -> dict[str, str]:
    if not isinstance(given, dict):
        raise ConfigError(f'{path}: keys is a table; write [keys] and under it lines like play = "space,k"')
    if not given:
        return {}
    from warpviz.tui.keymap import complaint, read_keys

    ids = list(dict.fromkeys(key.id for table in tables for key in table))
    keymap: dict[str, str] = {}
    for id, keys in given.items():
        if id not in ids:
            raise ConfigError(f"{path}: keys.{id} is no action; the actions are {', '.join(ids)}")
        if not isinstance(keys, str):
            raise ConfigError(f'{path}: keys.{id} is {_toml(keys)}; write keys in quotes, such as "space,k"')
        try:
            keymap[id] = read_keys(keys)
        except ValueError as error:
            raise ConfigError(f"{path}: keys.{id} {error}") from error
    if said := complaint(keymap, tables):
        raise ConfigError(f"{path}: keys.{said[0]} {said[1]}")
    return keymap


def _toml(value: object) -> str:
    """A value about as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)

"""A scene: what to show and what to ask about it. Read from TOML, or made of one pattern.

A scene file is written without knowing Python:

    title = "A column of a tile"
    question = "Every lane reads its own row of one column. How many passes?"
    declarations = "__shared__ float tile[32][32 + pad];"

    [knobs]
    pad = { value = 0, from = 0, to = 8 }

    [[access]]
    name = "column"
    expression = "tile[lane][0]"

Further keys: `hint`, `answer`, `arch`, `block`, `block_index`, `grid`, `warp` for the scene; `op`, `where`,
`matrices`, `space` for an access; `step` for a knob.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from warpviz.expression import ExpressionError, Launch, Pattern, parse
from warpviz.hardware import DEFAULT_ARCH, OPS, SPACES, check_arch
from warpviz.resources import read_toml, resource_folder

DEFAULT_KNOB_RANGE = (0, 64)
_LARGEST_KNOB = 2**31 - 1
_LARGEST_FILE_BYTES = 1_000_000
_LAUNCH_KEYS = ("block", "block_index", "grid", "warp")
_SCENE_KEYS = ("title", "question", "hint", "answer", "declarations", "arch", *_LAUNCH_KEYS, "knobs", "access")
_ACCESS_KEYS = ("name", "expression", "op", "where", "matrices", "space")
_KNOB_KEYS = ("value", "from", "to", "step")


class SceneError(ValueError):
    """A scene that cannot be shown; its text is one sentence that names the file, the place and the mend."""


@dataclass(frozen=True)
class Knob:
    """A name of the scene's text whose whole-number value the user turns, from minimum to maximum by step."""

    name: str
    value: int
    minimum: int
    maximum: int
    step: int = 1

    def values(self) -> range:
        """Every value that the knob takes."""
        return range(self.minimum, self.maximum + 1, self.step)


@dataclass(frozen=True)
class SceneAccess:
    """One access of a scene, by name."""

    name: str
    pattern: Pattern


@dataclass(frozen=True)
class Scene:
    """What the explorer shows: accesses that share their declarations and knobs, and the question they ask."""

    name: str
    title: str
    accesses: tuple[SceneAccess, ...]
    knobs: tuple[Knob, ...] = ()
    question: str = ""
    hint: str = ""
    answer: str = ""
    arch: str = DEFAULT_ARCH

    def defaults(self) -> dict[str, int]:
        """The knobs' values to begin with."""
        return {knob.name: knob.value for knob in self.knobs}


@cache
def shipped_scenes() -> tuple[Scene, ...]:
    """The scenes that come with the program, in the order of their file names."""
    return tuple(read_scene(path) for path in sorted(resource_folder("scenes").glob("*.toml")))


def find_scene(name: str) -> Scene:
    """The scene of this name, shipped or in a file. Raises SceneError when there is none or it cannot be shown."""
    shipped = {scene.name: scene for scene in shipped_scenes()}
    if name in shipped:
        return shipped[name]
    if name.endswith(".toml"):
        scene = read_scene(Path(name))
        check_scene(scene)
        return scene
    raise SceneError(f"no scene is called {name!r}; `warpviz scenes` lists them, and a scene file ends in .toml")


def scene_of_pattern(pattern: Pattern, values: Mapping[str, Iterable[int]], arch: str = DEFAULT_ARCH) -> Scene:
    """A scene of one access, not evaluated. A name with one value becomes a knob from 0 to 64 or further."""
    knobs = tuple(_knob_of_values(name, sorted(set(given))) for name, given in values.items())
    return Scene(pattern.expression, pattern.expression, (SceneAccess("access", pattern),), knobs, arch=arch)


def read_scene(path: Path) -> Scene:
    """Read a scene file and check its form, but not its expressions. Raises SceneError."""
    try:
        table = read_toml(path, _LARGEST_FILE_BYTES)
    except ValueError as error:
        raise SceneError(f"{path}: {error}") from error
    return _Reader(str(path)).scene(_name_of(path), table)


def check_scene(scene: Scene) -> None:
    """Evaluate every access with the knobs' values. Raises SceneError that names the access and the place."""
    used: set[str] = set()
    for access in scene.accesses:
        where = f"scene {scene.name}, access {access.name}"
        try:
            program = parse(access.pattern)
            for name in program.free_names:
                if name not in scene.defaults():
                    raise SceneError(f"{where}: {name} has no value; give it one under [knobs]")
            used.update(program.free_names)
            program.evaluate(scene.defaults())
        except ExpressionError as error:
            raise SceneError(f"{where}: {error}") from error
    for knob in scene.knobs:
        if knob.name not in used:
            raise SceneError(f"scene {scene.name}: knob {knob.name} stands in no declaration or expression")


def _name_of(path: Path) -> str:
    """The file's name without its ending and without the number that orders it."""
    number, _, rest = path.stem.partition("-")
    return rest if number.isdigit() and rest else path.stem


def _knob_of_values(name: str, values: list[int]) -> Knob:
    if len(values) > 1:
        return Knob(name, values[0], values[0], values[-1], values[1] - values[0])
    low, high = DEFAULT_KNOB_RANGE
    return Knob(name, values[0], min(low, values[0]), max(high, values[0]))


class _Reader:
    """Turns the tables of one file into a Scene, naming the file and the key in every complaint."""

    def __init__(self, file: str) -> None:
        self.file = file

    def scene(self, name: str, table: dict[str, Any]) -> Scene:
        self.only_keys("", table, _SCENE_KEYS)
        arch = self.text("", table, "arch", DEFAULT_ARCH)
        try:
            check_arch(arch)
        except ValueError as error:
            raise self.error("arch", str(error)) from error
        return Scene(
            name=name,
            title=self.text("", table, "title", None),
            accesses=self.accesses(table),
            knobs=tuple(self.knob(key, value) for key, value in self.table(table, "knobs").items()),
            question=self.text("", table, "question", ""),
            hint=self.text("", table, "hint", ""),
            answer=self.text("", table, "answer", ""),
            arch=arch,
        )

    def accesses(self, table: dict[str, Any]) -> tuple[SceneAccess, ...]:
        rows = table.get("access")
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            raise self.error("access", "a scene has one or more [[access]] tables")
        declarations, launch = self.text("", table, "declarations", ""), self.launch(table)
        accesses = tuple(self.access(f"access {i + 1}", row, declarations, launch) for i, row in enumerate(rows))
        names = [access.name for access in accesses]
        for name in names:
            if names.count(name) > 1:
                raise self.error("access", f"two accesses are called {name!r}; give each its own name")
        return accesses

    def access(self, where: str, row: dict[str, Any], declarations: str, launch: Launch) -> SceneAccess:
        self.only_keys(where, row, _ACCESS_KEYS)
        expression = self.text(where, row, "expression", None)
        pattern = Pattern(
            expression=expression,
            declarations=declarations,
            where=self.text(where, row, "where", ""),
            op=self.choice(where, row, "op", OPS, "ld"),
            space=self.choice(where, row, "space", SPACES, None),
            matrices=self.choice(where, row, "matrices", (1, 2, 4), None),
            launch=launch,
        )
        return SceneAccess(self.text(where, row, "name", expression), pattern)

    def knob(self, name: str, table: Any) -> Knob:
        where = f"knobs.{name}"
        if not isinstance(table, dict):
            raise self.error(where, "a knob is written { value = 0, from = 0, to = 8 }")
        self.only_keys(where, table, _KNOB_KEYS)
        knob = Knob(
            name,
            value=self.number(where, table, "value", None),
            minimum=self.number(where, table, "from", None),
            maximum=self.number(where, table, "to", None),
            step=self.number(where, table, "step", 1),
        )
        if knob.step < 1:
            raise self.error(where, f"step is {knob.step}; it is 1 or more")
        if knob.value not in knob.values():
            raise self.error(where, f"value {knob.value} is none of {knob.minimum} to {knob.maximum} by {knob.step}")
        return knob

    def launch(self, table: dict[str, Any]) -> Launch:
        try:
            return Launch(
                block=self.extent(table, "block") or (32, 1, 1),
                block_index=self.extent(table, "block_index", missing=0) or (0, 0, 0),
                grid=self.extent(table, "grid"),
                warp=self.number("", table, "warp", 0),
            )
        except ValueError as error:
            raise error if isinstance(error, SceneError) else self.error("block", str(error)) from error

    def extent(self, table: dict[str, Any], key: str, missing: int = 1) -> tuple[int, int, int] | None:
        given = table.get(key)
        if given is None:
            return None
        if not isinstance(given, list) or not 1 <= len(given) <= 3 or not all(type(n) is int for n in given):
            raise self.error(key, f"{key} is a list of one to three whole numbers")
        x, y, z = [*given, missing, missing][:3]
        return x, y, z

    def table(self, table: dict[str, Any], key: str) -> dict[str, Any]:
        given = table.get(key, {})
        if not isinstance(given, dict):
            raise self.error(key, f"[{key}] is a table")
        return given

    def text(self, where: str, table: dict[str, Any], key: str, default: str | None) -> str:
        given = table.get(key, default)
        if not isinstance(given, str):
            raise self.error(where, f"{key} is missing" if given is None else f"{key} is a text in quotes")
        return given

    def number(self, where: str, table: dict[str, Any], key: str, default: int | None) -> int:
        given = table.get(key, default)
        if type(given) is not int or abs(given) > _LARGEST_KNOB:
            raise self.error(where, f"{key} is missing" if given is None else f"{key} is a whole number of 32 bits")
        return given

    def choice(self, where: str, table: dict[str, Any], key: str, choices: tuple[Any, ...], default: Any) -> Any:
        given = table.get(key, default)
        if given is not default and (type(given) is not type(choices[0]) or given not in choices):
            raise self.error(where, f"{key} is {given!r}; it is one of {', '.join(map(str, choices))}")
        return given

    def only_keys(self, where: str, table: dict[str, Any], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise self.error(where, f"{key!r} is no key of a scene file here; the keys are {', '.join(known)}")

    def error(self, where: str, sentence: str) -> SceneError:
        return SceneError(": ".join(filter(None, (self.file, where, sentence))))

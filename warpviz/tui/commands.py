"""The command palette: whatever a screen can do, found by typing its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.command import CommandInput, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen

from warpviz.tui.footer import idle
from warpviz.tui.glyphs import key_name
from warpviz.tui.keymap import written
from warpviz.tui.keys import APPLY_KEYS, EXPLORER_KEYS, GALLERY_KEYS, KERNEL_KEYS, REPLAY_KEYS, Key
from warpviz.tui.render.text import Look, printable
from warpviz.tui.state import View, advice_of

if TYPE_CHECKING:
    from warpviz.scene import Scene

Run = Callable[[str], object]  # runs an action of the screen
Bound = Mapping[str, str]  # an action -> the key that does it, as Textual names it
_OPENS_THIS = "commands"
_KEY_COLUMNS = 12


@dataclass(frozen=True)
class Command:
    """words: what it does. key: which does the same, as it is written on the screen; empty when none does."""

    words: str
    key: str
    run: Callable[[], object]


def bound_keys(screen: Screen[None]) -> dict[str, str]:
    """The key of each action of a screen, the user's own where there is one; of several the first."""
    bindings = [(key, active.binding.action) for key, active in screen.active_bindings.items()]
    return {action: key for key, action in reversed(bindings)}


def explorer_commands(view: View, run: Run, bound: Bound) -> list[Command]:
    """What the explorer can do for this view: the fixes of the open panel, then every key that does something."""
    return [*_fixes(view, run), *_of_keys(EXPLORER_KEYS, run, bound, idle(view))]


def gallery_commands(run: Run, bound: Bound) -> list[Command]:
    """What the gallery can do."""
    return _of_keys(GALLERY_KEYS, run, bound)


def kernel_commands(run: Run, bound: Bound, without: frozenset[str]) -> list[Command]:
    """What the kernel's screen can do. without: ids of keys that do nothing now."""
    return _of_keys(KERNEL_KEYS, run, bound, without)


def replay_commands(run: Run, bound: Bound) -> list[Command]:
    """What the replay of a block can do."""
    return _of_keys(REPLAY_KEYS, run, bound)


def scene_commands(scenes: Iterable[Scene], open_scene: Callable[[Scene], object]) -> list[Command]:
    """Opening each of these scenes."""
    return [Command(f"open scene: {printable(scene.title)}", "", partial(open_scene, scene)) for scene in scenes]


class Commands(CommandPalette):
    """Textual's palette with these commands alone, drawn without lines so that it looks the same on every terminal."""

    DEFAULT_CSS = """
    Commands > Vertical, Commands:dark > Vertical { margin-top: 1; background: $background; }
    Commands SearchIcon, Commands LoadingIndicator { display: none; }
    Commands #--input, Commands #--input.--list-visible { border: none; padding: 0 1; }
    Commands CommandInput, Commands CommandInput:focus { border: none; height: 1; padding: 0 1; }
    Commands CommandList, Commands CommandList:focus {
        border: none; scrollbar-size: 0 0; max-height: 80vh; background: $background;
    }
    Commands CommandList > .option-list--option { text-style: none; }
    Commands:nocolor CommandList > .option-list--option-highlighted { text-style: bold underline; }
    Commands:nocolor CommandInput > .input--cursor { text-style: reverse; }
    """

    def __init__(self, commands: Sequence[Command], look: Look) -> None:
        super().__init__([lambda: _provider(commands, look)], placeholder="type what you want to do; esc closes")

    def on_mount(self) -> None:
        self.query_one(CommandInput).cursor_blink = False


def _provider(commands: Sequence[Command], look: Look) -> type[Provider]:
    class Found(Provider):
        """The commands whose words hold what is typed."""

        async def search(self, query: str) -> Hits:
            matcher = self.matcher(query)
            for command in commands:
                score = matcher.match(command.words)
                if score > 0:
                    shown = _line(command, matcher.highlight(command.words), look)
                    yield Hit(score, shown, command.run, command.words)

        async def discover(self) -> Hits:
            for command in commands:
                yield DiscoveryHit(_line(command, Content(command.words), look), command.run, command.words)

    return Found


def _line(command: Command, words: Content, look: Look) -> Content:
    return Content.assemble(f"{key_name(command.key, look.glyphs):<{_KEY_COLUMNS}}", words)


def _of_keys(keys: Iterable[Key], run: Run, bound: Bound, without: frozenset[str] = frozenset()) -> list[Command]:
    """A command for each key that says what it does. without: ids of keys to leave out."""
    return [
        Command(key.words, written(bound[key.action]) if key.action in bound else "", partial(run, key.action))
        for key in keys
        if key.words and key.id != _OPENS_THIS and key.id not in without
    ]


def _fixes(view: View, run: Run) -> list[Command]:
    advice = advice_of(view) if view.panel == "fix" else None
    fixes = list(enumerate(advice.fixes if advice else (), 1))[: len(APPLY_KEYS)]
    return [
        Command(f"apply fix {number}: {printable(fix.title)}", str(number), partial(run, f"do('apply_fix', {number})"))
        for number, fix in fixes
        if fix.patterns
    ]

"""The keys: one table that binds them, fills the footer and explains them."""

from __future__ import annotations

from typing import NamedTuple


class Key(NamedTuple):
    """id: its name in the user's configuration. keys: as Textual names them. shown: how they are written on the screen.
    brief: for the footer, empty to leave it out there. explained: for the help, empty for the other half of a pair.
    command: what it does, in the command palette; empty where the first clause of `explained` says it. group: which
    keys it stands among in the help."""

    id: str
    keys: str
    action: str
    shown: str = ""
    brief: str = ""
    explained: str = ""
    command: str = ""
    group: str = ""

    @property
    def words(self) -> str:
        """What it does, in a few words; empty for a key that needs none in a list of commands.

        >>> Key("pin", "a", "pin", explained="pin this access as A; again: unpin").words
        'pin this access as A'
        """
        return self.command or self.explained.partition(";")[0]


def _group(name: str, *keys: Key) -> tuple[Key, ...]:
    return tuple(key._replace(group=name) for key in keys)


_ANIMATION = _group(
    "the animation",
    Key("play", "space", "play", "space", "play", "play, pause; at the end: play again"),
    Key("step_on", "right", "do('sideways', 1)", "← →", "step", "one step, or one value of the sweep", "one step on"),
    Key("step_back", "left", "do('sideways', -1)", command="one step back"),
    Key("first", "home,0", "do('first')", "home 0", "", "before the first step"),
    Key("last", "end,dollar_sign", "do('last')", "end $", "", "everything served"),
    Key("faster", "plus,equals_sign", "speed(1)", "+ -", "", "faster, slower", "play faster"),
    Key("slower", "minus", "speed(-1)", command="play slower"),
)

_KNOBS_AND_LANES = _group(
    "knobs and lanes",
    Key("turn_up", "up", "do('turn_knob', 1)", "↑ ↓", "turn", "turn the knob; with shift by eight", "turn the knob up"),
    Key("turn_down", "down", "do('turn_knob', -1)", command="turn the knob down"),
    Key("turn_far_up", "shift+up", "do('turn_knob', 8)", command="turn the knob up by eight steps"),
    Key("turn_far_down", "shift+down", "do('turn_knob', -8)", command="turn the knob down by eight steps"),
    Key("next_knob", "tab,right_square_bracket", "do('choose_knob', 1)", "tab", "knob", "the next knob; also ] and ["),
    Key("previous_knob", "shift+tab,left_square_bracket", "do('choose_knob', -1)", command="the previous knob"),
    Key("next_access", "n", "do('choose_access', 1)", "n", "access", "the scene's next access; p: the previous one"),
    Key("previous_access", "p", "do('choose_access', -1)", command="the scene's previous access"),
    Key("next_lane", "full_stop", "do('next_lane', 1)", ", .", "lane", "the lane before or after", "the next lane"),
    Key("previous_lane", "comma", "do('next_lane', -1)", command="the previous lane"),
    Key("light", "b", "do('light_up')", "b", "", "light up all of the lane's bank or sector; or click one"),
    Key("toggle_lane", "x", "do('toggle_lane')", "x", "", "switch the chosen lane off or on"),
    Key("page_down", "pagedown", "page(1)", "pgup pgdn", "", "scroll the memory or the panel", "page down"),
    Key("page_up", "pageup", "page(-1)", command="page up"),
)

_PANELS = _group(
    "panels",
    Key("measure", "m", "measure", "m", "measure", "measure it on the GPU, or the whole sweep; esc cancels"),
    Key("count", "M", "measure('try')", "M", "", "measure it and count it as well, with Nsight Compute"),
    Key("why", "w", "do('show_panel', 'why')", "w", "why", "why it costs what it costs"),
    Key("fix", "f", "do('show_panel', 'fix')", "f", "fix", "fix: what would mend it"),
    Key("sweep", "s", "do('show_panel', 'sweep')", "s", "sweep", "sweep: the cost over the chosen knob"),
    Key("evidence", "v", "do('show_panel', 'evidence')", "v", "evidence", "evidence: all that was measured, and how"),
    Key("next_gpu", "g", "do('next_gpu')", "g", "", "the measurements of the next GPU that was recorded"),
    Key("pin", "a", "do('pin')", "a", "A/B", "pin this access as A and compare; again: unpin"),
    Key("swap", "A", "do('swap')", "A", "", "swap A and B"),
    Key("hint", "h", "do('turn_over')", "h", "hint", "from the question to the hint, to the answer"),
    Key("present", "l", "present", "l", "", "present it: large, step by step, the cost hidden at first"),
)

_EDITING = _group(
    "editing",
    Key("edit", "e,enter", "edit", "e", "edit", "edit the expression; enter keeps it, esc takes it back"),
    Key("edit_all", "d", "edit_all", "d", "", "edit all: declarations, op, width, block, warp, lanes, arch"),
    Key("undo", "u", "do('undo')", "u", "", "undo: take the last edit or turn back"),
    Key("redo", "U,ctrl+r", "do('redo')", "U", "", "redo: make it again"),
    Key("reset", "r", "do('reset')", "r", "", "the scene as it began"),
)

_SHARING = _group(
    "sharing",
    Key("copy", "y", "copy", "y", "", "copy the command line that opens this very view"),
    Key("save", "S", "save", "S", "", "save the view: .svg .txt .json .csv, or the animation: .cast"),
)

_PROGRAM = _group(
    "the program",
    Key("theme", "t", "app.next_theme", "t", "", "next theme: dark, light, high contrast"),
    Key("back", "escape", "back", "esc", "back", "close what is open, or back to where it was opened"),
    Key("commands", "ctrl+p", "commands", "ctrl+p", "commands", "find a command or a scene by its words"),
    Key("help", "question_mark", "help", "?", "", "what is open, the keys, the words"),
    Key("quit", "q", "app.quit", "q", "", "quit"),
)

EXPLORER_KEYS = (*_ANIMATION, *_KNOBS_AND_LANES, *_PANELS, *_EDITING, *_SHARING, *_PROGRAM)

APPLY_KEYS = "123456789"

PRESENTING_KEYS = _group(
    "presenting",
    Key("forward", "pagedown,space,enter,right", "do('forward')", "→", "next", "one on; also page down, space, enter"),
    Key("backward", "pageup,left", "do('backward')", "←", "back", "one back; also page up"),
    Key("erase", "backspace", "do('erase')", "0-9", "guess", "the audience's guess; backspace takes a digit back"),
    Key("conceal", "c", "do('turn_over')", "c", "guess again", "hide the cost for another guess; or reveal it"),
    Key("next_access", "n", "do('choose_access', 1)", "n", "access", "the scene's next access; p: the previous one"),
    Key("previous_access", "p", "do('choose_access', -1)", command="the scene's previous access"),
    Key("first", "home", "do('first')", "home", "", "before the first step"),
    Key("last", "end,dollar_sign", "do('last')", "end $", "", "everything served"),
    Key("turn_up", "up", "do('turn_knob', 1)", "↑ ↓", "turn", "turn the knob, and hide the cost", "turn the knob up"),
    Key("turn_down", "down", "do('turn_knob', -1)", command="turn the knob down"),
    Key("next_knob", "tab,right_square_bracket", "do('choose_knob', 1)", "tab", "knob", "the next knob; also ] and ["),
    Key("previous_knob", "shift+tab,left_square_bracket", "do('choose_knob', -1)", command="the previous knob"),
    Key("hint", "h", "do('hint')", "h", "hint", "the hint in place of the question, and back"),
    Key("theme", "t", "app.next_theme", "t", "", "next theme: dark, light, high contrast"),
    Key("back", "l,escape", "back", "l", "explorer", "back to the explorer, at this place"),
    Key("help", "question_mark", "help", "?", "", "the keys and the words"),
    Key("quit", "q", "app.quit", "q", "", "quit"),
)

DIGIT_KEYS = "0123456789"

GALLERY_KEYS = _group(
    "the gallery",
    Key("choose_down", "down", "move(1)", "↑ ↓", "choose", "choose a scene", "the next scene"),
    Key("choose_up", "up", "move(-1)", command="the previous scene"),
    Key("choose_first", "home", "move(-999)", command="the first scene"),
    Key("choose_last", "end", "move(999)", command="the last scene"),
    Key("open", "enter,space", "open", "enter", "open", "open the chosen scene"),
    Key("filter", "slash", "filter", "/", "filter", "list the scenes that hold what you type; esc lists all again"),
    Key("clear", "escape", "clear", command="list every scene again"),
    Key("theme", "t", "app.next_theme", "t", "theme", "next theme: dark, light, high contrast"),
    Key("commands", "ctrl+p", "commands", "ctrl+p", "commands", "find a command or a scene by its words"),
    Key("help", "question_mark", "help", "?", "", "the keys and the words"),
    Key("quit", "q", "app.quit", "q", "", "quit"),
)

KERNEL_KEYS = (
    *_group(
        "the lines",
        Key("line_down", "down", "do('move', 1)", "↑ ↓", "choose", "the line that touches memory after or before"),
        Key("line_up", "up", "do('move', -1)", command="the line that touches memory before"),
        Key("replay_line", "enter", "open", "enter", "replay", "the line's accesses, one by one; or click it twice"),
        Key("replay", "space,p", "replay", "space", "", "all accesses of a block, one by one, from its start; also p"),
        Key("order", "o", "do('turn_order')", "o", "hottest", "hottest first; again: in the order of the file"),
        Key("first_line", "home", "do('move', -99999)", "home", "", "the first of them"),
        Key("last_line", "end", "do('move', 99999)", "end", "", "the last of them"),
        Key("page_down", "pagedown", "page(1)", "pgup pgdn", "", "scroll the code or the panel", "page down"),
        Key("page_up", "pageup", "page(-1)", command="page up"),
    ),
    *_group(
        "the measurement",
        Key("measure", "m", "measure", "m", "measure", "run it on the GPU, beside what is predicted; esc cancels"),
        Key("evidence", "v", "show_panel('evidence')", "v", "evidence", "evidence: all that was measured, and how"),
    ),
    *_group(
        "panels of the kernel",
        Key("totals", "c", "show_panel('totals')", "c", "counters", "counters: the totals, by ncu's names"),
        Key("hazards", "h", "show_panel('hazards')", "h", "hazards", "hazards: races, barriers, reads before writes"),
        Key("notes", "f", "show_panel('notes')", "f", "findings", "findings: what the compiler does with the accesses"),
        Key("complaint", "x", "show_panel('complaint')", "x", "", "why the file as it is now is not shown"),
    ),
    *_group(
        "the kernel",
        Key("reload", "r", "reload", "r", "reload", "read the file again, after you have edited it"),
        Key("launch", "d", "launch", "d", "launch", "change the launch: its grid, its blocks, its arguments"),
        Key("next_kernel", "n", "next_kernel", "n", "kernel", "the next kernel of the file"),
        Key("copy", "y", "copy", "y", "", "copy the command line that predicts this kernel"),
    ),
    *_group(
        "the program",
        Key("theme", "t", "app.next_theme", "t", "", "next theme: dark, light, high contrast"),
        Key("back", "escape", "back", "esc", "scenes", "stop what runs, close what is open, or leave"),
        Key("commands", "ctrl+p", "commands", "ctrl+p", "commands", "find a command by its words"),
        Key("help", "question_mark", "help", "?", "", "the keys and the words"),
        Key("quit", "q", "app.quit", "q", "", "quit"),
    ),
)

REPLAY_KEYS = (
    *_group(
        "the replay",
        Key("play", "space", "play", "space", "play", "play, pause; at the end: play again"),
        Key("step_on", "right", "do('step', 1)", "← →", "step", "one access on, or back", "the next access"),
        Key("step_back", "left", "do('step', -1)", command="the access before"),
        Key(
            "next_barrier",
            "right_square_bracket,shift+right",
            "do('step_barrier', 1)",
            "[ ]",
            "barrier",
            "behind the barrier before or after; also shift and an arrow",
            "behind the next barrier",
        ),
        Key(
            "previous_barrier",
            "left_square_bracket,shift+left",
            "do('step_barrier', -1)",
            command="behind the barrier before",
        ),
        Key(
            "next_of_line",
            "n",
            "do('step_line', 1)",
            "n p",
            "same line",
            "the next access of this line; p: the one before",
            "the next access of this line",
        ),
        Key("previous_of_line", "p", "do('step_line', -1)", command="the access of this line before"),
        Key("first", "home,0", "do('first')", "home 0", "", "the first access"),
        Key("last", "end,dollar_sign", "do('last')", "end $", "", "the last access"),
        Key("faster", "plus,equals_sign", "speed(1)", "+ -", "", "faster, slower", "play faster"),
        Key("slower", "minus", "speed(-1)", command="play slower"),
    ),
    *_group(
        "warps and blocks",
        Key(
            "next_warp",
            "w",
            "do('choose_warp', 1)",
            "w",
            "warp",
            "step through one warp alone: the next one; W: the one before; behind the last: all",
            "the next warp alone",
        ),
        Key("previous_warp", "W", "do('choose_warp', -1)", command="the warp before alone"),
        Key("next_block", "b", "move_block(1)", "b", "block", "the next block; B: the one before", "the next block"),
        Key("previous_block", "B", "move_block(-1)", command="the block before"),
        Key("choose_block", "g", "choose_block", "g", "", "go to a block by its number"),
    ),
    *_group(
        "the access",
        Key(
            "explore",
            "enter,e",
            "explore",
            "enter",
            "explore",
            "open the explorer on this access and the others of its line: why, fix, A/B, sweep, measure",
        ),
        Key("scroll_down", "down", "scroll(1)", "↑ ↓", "", "scroll shared memory", "scroll shared memory down"),
        Key("scroll_up", "up", "scroll(-1)", command="scroll shared memory up"),
        Key("page_down", "pagedown", "page(1)", "pgup pgdn", "", "scroll shared memory by a page", "page down"),
        Key("page_up", "pageup", "page(-1)", command="page up"),
    ),
    *_group(
        "the program",
        Key("theme", "t", "app.next_theme", "t", "", "next theme: dark, light, high contrast"),
        Key("back", "escape", "back", "esc", "back", "back to the kernel"),
        Key("commands", "ctrl+p", "commands", "ctrl+p", "", "find a command by its words"),
        Key("help", "question_mark", "help", "?", "", "the keys and the words"),
        Key("quit", "q", "app.quit", "q", "", "quit"),
    ),
)

# Of every screen that has keys of its own.
KEY_TABLES = (EXPLORER_KEYS, PRESENTING_KEYS, GALLERY_KEYS, KERNEL_KEYS, REPLAY_KEYS)

LAST_KEYS = (("?", "help"), ("q", "quit"))  # at the right edge of every footer

"""The explorer's keys: one table that binds them, fills the footer and explains them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """keys: as Textual names them. shown: how they are written on the screen. brief: for the footer, empty to leave it
    out there. explained: for the help."""

    keys: str
    action: str
    shown: str
    brief: str
    explained: str


EXPLORER_KEYS = (
    Key("space", "play", "space", "play", "play, pause; at the end: play again"),
    Key("right", "step(1)", "← →", "step", "one step back or on"),
    Key("left", "step(-1)", "", "", ""),
    Key("home,0", "first", "home 0", "", "before the first step"),
    Key("end,dollar_sign", "last", "end $", "", "everything served"),
    Key("plus,equals_sign", "speed(1)", "+ -", "", "faster, slower"),
    Key("minus", "speed(-1)", "", "", ""),
    Key("up", "turn(1)", "↑ ↓", "turn", "turn the chosen knob; with shift eight steps at once"),
    Key("down", "turn(-1)", "", "", ""),
    Key("shift+up", "turn(8)", "", "", ""),
    Key("shift+down", "turn(-8)", "", "", ""),
    Key("n", "access(1)", "n", "access", "the scene's next access; p: the previous one"),
    Key("p", "access(-1)", "", "", ""),
    Key("m", "measure", "m", "measure", "measure it on the GPU; esc cancels"),
    Key("h", "turn_over", "h", "hint", "from the question to the hint, to the answer"),
    Key("tab,right_square_bracket", "knob(1)", "tab", "knob", "choose a knob; also ] and ["),
    Key("shift+tab,left_square_bracket", "knob(-1)", "", "", ""),
    Key("e,enter", "edit", "e", "edit", "edit the expression; enter keeps it, esc takes it back"),
    Key("full_stop", "lane(1)", ", .", "lane", "the previous or next lane; or click a lane"),
    Key("comma", "lane(-1)", "", "", ""),
    Key("pagedown", "scroll(1)", "pgup pgdn", "", "scroll the memory"),
    Key("pageup", "scroll(-1)", "", "", ""),
    Key("r", "reset", "r", "", "the scene as it began"),
    Key("t", "app.flip_theme", "t", "", "dark or light"),
    Key("escape", "back", "esc", "scenes", "to the gallery of scenes"),
    Key("question_mark", "help", "?", "", "these keys"),
    Key("q", "app.quit", "q", "", "quit"),
)

GALLERY_KEYS = (
    Key("up", "move(-1)", "↑ ↓", "choose", "choose a scene"),
    Key("down", "move(1)", "", "", ""),
    Key("home", "move(-999)", "", "", ""),
    Key("end", "move(999)", "", "", ""),
    Key("enter,space", "open", "enter", "open", "open it"),
    Key("slash", "filter", "/", "filter", "show the scenes that hold what you type"),
    Key("t", "app.flip_theme", "t", "theme", "dark or light"),
    Key("escape", "clear", "", "", ""),
    Key("question_mark", "help", "?", "", "these keys"),
    Key("q", "app.quit", "q", "", "quit"),
)

LAST_KEYS = (("?", "keys"), ("q", "quit"))  # at the right edge of every footer

"""The user's own keys: binding ids and the keys that the user gives them, checked and shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from textual.keys import KEY_NAME_REPLACEMENTS, REPLACED_KEYS, Keys, key_to_character

from warpviz.tui.keys import APPLY_KEYS, Key

Keymap = Mapping[str, str]  # binding id -> keys with commas between, as Textual names them

_ALWAYS = {"ctrl+c": "leaves the program at once", "ctrl+q": "leaves the program at once"}
_MODIFIERS = ("ctrl", "shift", "alt", "super", "hyper", "meta")
_NAMED = frozenset(key.value for key in Keys)
_SHORT = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "delete": "del",
}


def read_keys(text: str) -> str:
    """The keys of a text such as "space, k" as Textual names them. Raises ValueError, with the end of a sentence."""
    keys = [_key(part.strip()) for part in _parts(text)]
    if not keys:
        raise ValueError('names no key; keys are written like "space", "k", "ctrl+p" or "space,k"')
    for key in keys:
        if key in _ALWAYS:
            raise ValueError(f"takes {key}, which always {_ALWAYS[key]}; choose another key")
        if key in APPLY_KEYS:
            raise ValueError(f"takes {key}, which applies a fix or types a guess; choose another key")
    return ",".join(dict.fromkeys(keys))


def complaint(keymap: Keymap, tables: Iterable[Sequence[Key]]) -> tuple[str, str] | None:
    """The first id whose keys another action of the same screen has too, and the end of a sentence that says so."""
    for table in tables:
        owner: dict[str, str] = {}
        for key in table:
            for name in keymap.get(key.id, key.keys).split(","):
                other = owner.setdefault(name, key.id)
                if other != key.id and not {other, key.id}.isdisjoint(keymap):
                    blamed, rival = (key.id, other) if key.id in keymap else (other, key.id)
                    return blamed, f"takes {written(name)}, which is {rival}'s; give {rival} another key too"
    return None


def shown_keys(shown: str, table: Iterable[Key], keymap: Keymap) -> str:
    """What the screen writes for keys, such as "← →", with the user's own ones in the place of those that they replace.

    table: the keys of the same screen.
    """
    owner = {written(name): key.id for key in table for name in key.keys.split(",")}
    words: list[str] = []
    for word in shown.split():
        id = owner.get(word, "")
        words += map(written, keymap[id].split(",")) if id in keymap else [word]
    return " ".join(dict.fromkeys(words))


def written(key: str) -> str:
    """How a key is written on the screen.

    >>> written("question_mark"), written("pagedown"), written("ctrl+p")
    ('?', 'pgdn', 'ctrl+p')
    """
    modifiers, plus, base = key.rpartition("+")
    character = None if base in _NAMED else key_to_character(REPLACED_KEYS.get(base, base))
    return modifiers + plus + (_SHORT.get(base) or character or base)


def _parts(text: str) -> list[str]:
    """A comma stands between keys; alone it is the key itself."""
    return [","] if text.strip() == "," else [part for part in text.split(",") if part.strip()]


def _key(text: str) -> str:
    *modifiers, base = text.split("+") if len(text) > 1 else [text]
    name = _name_of(base) if len(base) == 1 else base.lower()
    known = len(base) == 1 or name in _NAMED or _is_character(name)
    if not known or not all(modifier in _MODIFIERS for modifier in modifiers):
        raise ValueError(f'names {text!r}, which is no key; keys are written like "space", "k", "ctrl+p" or "space,k"')
    return "+".join([*modifiers, name.lower() if modifiers else name])


def _name_of(character: str) -> str:
    """What Textual calls the key of this character."""
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


def _is_character(name: str) -> bool:
    character = key_to_character(REPLACED_KEYS.get(name, name))
    return character is not None and unicodedata.category(character)[0] != "C"

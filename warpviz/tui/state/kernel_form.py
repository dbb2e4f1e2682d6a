"""The form of a kernel's launch: its grid, its blocks and each argument as a text, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from warpviz.kernel.launch import DeclaredParameter, Launch, LaunchError, Where
from warpviz.kernel.launch.line import Given
from warpviz.kernel.launch.specifications import specification
from warpviz.tui.kernel_launch import AskedKernel, options_of
from warpviz.tui.opening import KernelToOpen
from warpviz.tui.state.complaints import Complaint

_OF_THE_LAUNCH = ("--grid", "--block", "--smem")
_MAY_BE_EMPTY = "--smem"
_ELEMENTS = {  # what a type's spelling holds -> the elements of an array for it
    "double": "f64",
    "half": "f16",
    "long long": "i64",
    "int64": "i64",
    "size_t": "u64",
    "short": "i16",
    "char": "u8",
    "unsigned": "u32",
    "int": "i32",
}
_NAME = re.compile(r"[A-Za-z_]\w*")
_INTEGER = re.compile(r"\b(?:int|long|short|char|unsigned|signed|size_t|bool|u?int\d+_t)\b")


@dataclass(frozen=True)
class LaunchForm:
    """found: the kernel. asked: what it was asked for with. texts: of every field, as typed, by the option that gives
    the same: --grid, --arg n. complaints: what is wrong, likewise. launch: what they mean; None while anything is wrong
    or missing."""

    found: AskedKernel
    asked: KernelToOpen
    texts: Mapping[str, str]
    complaints: Mapping[str, Complaint]
    launch: Launch | None

    @property
    def missing(self) -> tuple[str, ...]:
        """The fields that still need a value."""
        return tuple(field for field, text in self.texts.items() if not text.strip() and field != _MAY_BE_EMPTY)

    @property
    def changed(self) -> bool:
        """Whether anything differs from the form as it opened."""
        return self.texts != _texts(self.found, self.asked)

    @property
    def kept(self) -> KernelToOpen:
        """The kernel with this launch. What the file states itself is left to it."""
        return _with_texts(self.found, self.asked, self.texts)


def launch_form(found: AskedKernel, asked: KernelToOpen) -> LaunchForm:
    """The form as it opens."""
    return _read(found, asked, _texts(found, asked))


def typed(form: LaunchForm, field: str, text: str) -> LaunchForm:
    """The form with another text in one field."""
    return _read(form.found, form.asked, {**form.texts, field: text})


def fields(found: AskedKernel) -> tuple[str, ...]:
    """What is asked, in order: each by its option."""
    return (*_OF_THE_LAUNCH, *(f"--arg {parameter.name}" for parameter in found.parameters))


def field_name(field: str) -> str:
    """What a field is called on the screen."""
    return {"--smem": "shared bytes"}.get(field, field.removeprefix("--arg ").removeprefix("--"))


def type_of(found: AskedKernel, field: str) -> str:
    """The type of an argument, as the file writes it; what else a field holds."""
    words = {"--grid": "blocks along x,y,z", "--block": "threads along x,y,z", "--smem": "dynamic, of a block"}
    types = {f"--arg {parameter.name}": parameter.type for parameter in found.parameters}
    return words.get(field) or types.get(field, "")


def example(found: AskedKernel, field: str) -> str:
    """What may stand in a field."""
    fixed = {"--grid": "64, or 16,16", "--block": "256, or 16,16", "--smem": "0"}
    if field in fixed:
        return fixed[field]
    return _example_of(next(one for one in found.parameters if f"--arg {one.name}" == field))


def _example_of(parameter: DeclaredParameter) -> str:
    if parameter.is_pointer:
        element = next((name for spelled, name in _ELEMENTS.items() if spelled in parameter.type), "f32")
        return f"{element}[1024]:i, or @file.npy"
    if any(word in parameter.type for word in ("float", "double", "half")):
        return "0.5"
    return "1024" if _INTEGER.search(parameter.type) or not parameter.type else "a number, or u8[BYTES]:i for a struct"


def _texts(found: AskedKernel, asked: KernelToOpen) -> dict[str, str]:
    """What is given already: beside the file, else in it."""
    options = {"--grid": asked.grid, "--block": asked.block, "--smem": asked.shared_bytes}
    texts = {option: text.strip() for option, text in options.items() if text is not None}
    for argument in asked.arguments:
        name, _, text = argument.partition("=")
        texts[f"--arg {name.strip()}"] = text.strip()
    stated = {option: given.text for option, given in found.given.items()}
    return {field: texts.get(field, stated.get(field, "")) for field in fields(found)}


def _with_texts(found: AskedKernel, asked: KernelToOpen, texts: Mapping[str, str]) -> KernelToOpen:
    stated = {option: given.text for option, given in found.given.items()}
    own = {field: text.strip() for field, text in texts.items() if text.strip() and text.strip() != stated.get(field)}
    arguments = tuple(
        f"{field.removeprefix('--arg ')}={text}" for field, text in own.items() if field.startswith("--arg ")
    )
    return replace(
        asked,
        name=found.kernel.name,
        grid=own.get("--grid"),
        block=own.get("--block"),
        shared_bytes=own.get("--smem"),
        arguments=arguments,
    )


def _read(found: AskedKernel, asked: KernelToOpen, texts: Mapping[str, str]) -> LaunchForm:
    form = LaunchForm(found, asked, texts, _misspelled(texts), None)
    if form.complaints:
        return form
    try:
        launch = found.launch(options_of(_with_texts(found, asked, {**texts, **_stand_ins(form)})))
    except LaunchError as error:
        field, complaint = _blamed(found, error)
        return form if _depends_on(form.missing, field, texts[field]) else replace(form, complaints={field: complaint})
    return form if form.missing else replace(form, launch=launch)


def _stand_ins(form: LaunchForm) -> dict[str, str]:
    """For what is missing something that does, so that the rest can be read already."""
    pointers = {f"--arg {parameter.name}" for parameter in form.found.parameters if parameter.is_pointer}
    return {field: "0" if field in pointers else "1" for field in form.missing}


def _depends_on(missing: tuple[str, ...], field: str, text: str) -> bool:
    """Whether a field is wrong only as long as others are missing."""
    names = {other.removeprefix("--arg ") for other in missing if other.startswith("--arg ")}
    return field in missing or not names.isdisjoint(_NAME.findall(text))


def _misspelled(texts: Mapping[str, str]) -> dict[str, Complaint]:
    """The arguments that cannot be read by themselves."""
    complaints = {}
    for field, text in texts.items():
        if field.startswith("--arg ") and text.strip():
            try:
                specification(Given(text.strip(), Where(field)), Path())
            except LaunchError as error:
                complaints[field] = _complaint(error)
    return complaints


def _blamed(found: AskedKernel, error: LaunchError) -> tuple[str, Complaint]:
    """The field that it is about, the first one when it is about none; and the complaint."""
    where = error.where
    if where is not None and where.option in fields(found):
        return where.option, _complaint(error)
    for option, given in found.given.items():
        begins = given.where.column
        if where is not None and given.where.line == where.line and begins <= where.column <= begins + len(given.text):
            return option, Complaint(error.sentence, 1, where.column - begins + 1)
    return _OF_THE_LAUNCH[0], Complaint(error.sentence)


def _complaint(error: LaunchError) -> Complaint:
    """Of a text that is an option: columns are counted from its beginning."""
    return Complaint(error.sentence, 1, error.where.column + 1 if error.where else 1)

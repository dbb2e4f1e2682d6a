"""What stands around the fields of a kernel's launch: its title, each field's type, and what it comes to."""

from __future__ import annotations

from textual.strip import Strip

from warpviz.tui.render.text import Look, Part, between, cut, printable, strip_of
from warpviz.tui.state.kernel_form import LaunchForm, field_name, type_of
from warpviz.wording import counted


def title_strip(form: LaunchForm, width: int, look: Look) -> Strip:
    """The kernel that is launched."""
    bar = look.palette.bar
    left: list[Part] = [(f" {printable(form.found.kernel.name)}", look.palette.strong)]
    left.append((f"  {printable(form.asked.path.name)}", bar))
    parts = between(left, [(" how it is launched ", bar)], width, look)
    return strip_of([(text, style + bar) for text, style in parts], width, look, bar)


def type_strip(form: LaunchForm, field: str, width: int, look: Look) -> Strip:
    """What a field is of."""
    quiet = look.palette.quiet
    return strip_of(cut([("  ", quiet), (printable(type_of(form.found, field)), quiet)], width, look), width, look)


def sum_strip(form: LaunchForm, leaving: bool, width: int, look: Look) -> Strip:
    """What the launch comes to, or what it still needs. leaving: whether the user is about to drop what was changed."""
    palette = look.palette
    if leaving:
        said: Part = ("esc again drops the changes", palette.bad)
    elif form.complaints:
        field, complaint = next(iter(form.complaints.items()))
        said = (f"{printable(field_name(field))}: {printable(complaint.sentence)}", palette.bad)
    elif form.missing:
        names = ", ".join(printable(field_name(field)) for field in form.missing)
        said = (f"needed: {names}", palette.text)
    else:
        said = (_sum(form), palette.good)
    return strip_of(cut([(" ", palette.text), said], width, look), width, look)


def _sum(form: LaunchForm) -> str:
    launch = form.launch
    if launch is None:
        return ""
    blocks, threads = (x * y * z for x, y, z in (launch.grid, launch.block))
    arrays, total = len(launch.arrays), sum(array.size for array in launch.arrays)
    memory = f"; {counted(total, 'byte')} in {counted(arrays, 'array')}" if arrays else ""
    return f"{counted(blocks, 'block')} of {counted(threads, 'thread')}{memory}"

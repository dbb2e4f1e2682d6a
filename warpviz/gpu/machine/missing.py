"""Why CUDA shows no GPU: looked for when it shows none, in what can be looked at without it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Sequence
from typing import Any

from warpviz.gpu.machine.choice import VISIBLE, hides_all, shown_entries
from warpviz.gpu.machine.listing import ListedGpu, list_gpus
from warpviz.gpu.machine.presence import device_nodes

_GROUP_MAY = stat.S_IRGRP | stat.S_IWGRP
_NOTHING_FOUND = "the NVIDIA driver shows no GPU: nvidia-smi tells more; a container is given one with --gpus all"


def why_no_gpu() -> str:
    """For this process: one sentence with the mend."""
    return why_closed() or _why_hidden() or _why_no_slice() or _NOTHING_FOUND


def why_closed() -> str | None:
    """What keeps this user from the driver's device nodes, of the first that cannot be opened; None when all can."""
    for node in device_nodes():
        try:
            os.close(os.open(node, os.O_RDWR | getattr(os, "O_CLOEXEC", 0)))
        except OSError as error:
            if error.errno == errno.EACCES:
                return f"this user may not open {node}, which {_who_may(node)}"
            if error.errno == errno.EPERM:
                return f"{node} is there but may not be opened: a container is given it with --gpus all or --device"
            return f"{node} cannot be opened ({error.strerror}): nvidia-smi or dmesg (Xid) tells more"
    return None


def _who_may(node: str) -> str:
    import grp
    import pwd

    status = os.stat(node)
    owner, group = _name(pwd.getpwuid, status.st_uid), _name(grp.getgrgid, status.st_gid)
    if status.st_mode & _GROUP_MAY == _GROUP_MAY and status.st_gid:
        return f"is for {owner} and the group {group}: sudo usermod -aG {group} $USER, and log in again"
    return f"is for {owner} alone: the administrator opens it to all, as the driver's NVreg_DeviceFileMode=0666 does"


def _name(find: Callable[[int], Sequence[Any]], number: int) -> str:
    """Of a user or a group; the number of one without a name."""
    try:
        return str(find(number)[0])
    except KeyError:
        return str(number)


def _why_hidden() -> str | None:
    """What is wrong with the GPU that CUDA_VISIBLE_DEVICES names first."""
    text = os.environ.get(VISIBLE)
    if text is None:
        return None
    shown = shown_entries(text)
    if not shown:
        return hides_all(text)
    gpus = list_gpus()
    names = {str(gpu.index) for gpu in gpus} | {uuid for gpu in gpus for uuid in (gpu.uuid, *(gpu.slices or ()))}
    meant = sorted(name for name in names if name == shown[0] or _begins(name, shown[0]))
    if len(meant) > 1:
        return f"{shown[0]} is the beginning of {' and of '.join(meant)}: write more of it"
    if meant:
        return None
    wanted = f"{'GPU ' if shown[0].isdigit() else ''}{shown[0]}, as --device or {VISIBLE} asks for"
    if not gpus:
        return f"CUDA shows no {wanted}: nvidia-smi -L lists those that there are"
    return f"there is no {wanted}: this machine has {_list(gpus)}"


def _begins(name: str, entry: str) -> bool:
    return not entry.isdigit() and name.startswith(entry)


def _why_no_slice() -> str | None:
    """A GPU in MIG mode computes in its slices alone."""
    empty = [gpu for gpu in list_gpus() if gpu.slices == ()]
    if not empty:
        return None
    return f"GPU {empty[0].index} ({empty[0].name}) is in MIG mode and has no slice: nvidia-smi mig -cgi makes one"


def _list(gpus: tuple[ListedGpu, ...]) -> str:
    return ", ".join(f"{gpu.index} ({gpu.name}, {gpu.uuid})" for gpu in gpus)

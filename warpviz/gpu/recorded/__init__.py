"""Recorded measurements: JSON files that the program writes on a GPU and reads where there is none.

A file is of one GPU, driver and compiler. Its keys, in this order, one entry of `common` and of `measurements` a line:

- "schema": "warpviz-recorded-2".
- "gpu": {"name", "arch", "driver", "cuda", "nvrtc"}, texts: see `Gpu`.
- "made": {"first", "last", "warpviz"}: the dates of the earliest and the latest measurement, in UTC, ISO 8601, and the
  version of the program that wrote the file.
- "fields": {name: [names]}: what the lists of this name below hold, in order.
- "common": values that many measurements have in common.
- "measurements": {fingerprint: a list of the fields "measurement"}. The fingerprint is that of the access (see
  `FrozenAccess.fingerprint`). labels: what the access is called, such as "stride: load, k = 8" or "golden: stride 10".
  date, counters, conditions and code are given by their number in `common`, from 0. The other values are those of
  `Measurement`; each object is a list of the fields of its name; a value that is not there is {"reason": a sentence};
  fractions have six significant digits.

Files lie in two folders: `recorded` of the package, which ships, and the user's own, which `warpviz record` writes to.
"""

from warpviz.gpu.recorded.contents import Entry
from warpviz.gpu.recorded.files import (
    RecordedFile,
    find_known,
    find_recorded,
    joined,
    known,
    open_file,
    read,
    user_folder,
    write,
)

__all__ = [
    "Entry",
    "RecordedFile",
    "find_known",
    "find_recorded",
    "joined",
    "known",
    "open_file",
    "read",
    "user_folder",
    "write",
]

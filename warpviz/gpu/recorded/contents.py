"""A recorded file as text, and what is in it. The package's docstring documents the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from warpviz.gpu.frozen_access import FrozenAccess
from warpviz.gpu.measurement import Bandwidth, Code, Conditions, Counts, Gpu, Measurement, Run, Slope
from warpviz.gpu.recorded.fitting import fits
from warpviz.hardware import check_arch

SCHEMA = "warpviz-recorded-2"
_SCHEMA_NUMBER = re.compile(r"warpviz-recorded-(\d{1,9})")
_VALUES = ("wavefronts", "counters", "bandwidth", "addresses_agree", "conditions", "code")
_COMMON = ("date", "counters", "conditions", "code")
_KINDS = {
    "access": FrozenAccess,
    "wavefronts": Slope,
    "short": Run,
    "long": Run,
    "counters": Counts,
    "bandwidth": Bandwidth,
    "conditions": Conditions,
    "code": Code,
}
_FIELDS: dict[str, list[str]] = {"measurement": ["labels", "date", "access", *_VALUES]} | {
    name: [field.name for field in fields(kind)] for name, kind in _KINDS.items()
}
_COMMON_BEGINS = ',\n"common": [\n'
_MEASUREMENTS_BEGIN = '\n],\n"measurements": {\n'
_NEXT = ",\n"  # between two values of either
_END = "\n}\n}\n"
_MOST_BYTES = 1 << 63
_DIGITS = 6


@dataclass(frozen=True)
class Entry:
    """A recorded measurement and what its access is called: one name at least."""

    labels: tuple[str, ...]
    measurement: Measurement


@dataclass(frozen=True)
class Contents:
    """What a file holds, looked into when it is asked for.

    first, last: dates. fields: see the package's docstring. common: the texts of its values. text: of the measurements,
    one a line, between line ends.
    """

    gpu: Gpu
    first: str
    last: str
    fields: Mapping[str, list[str]]
    common: list[str]
    text: str

    @classmethod
    def of(cls, text: str) -> Contents:
        """Raises ValueError, with the end of a sentence, for what is no recorded file that this version reads."""
        text = text.replace("\r\n", "\n") if "\r" in text else text
        begin, middle = text.find(_COMMON_BEGINS), text.find(_MEASUREMENTS_BEGIN)
        if not 0 < begin < middle or not text.endswith(_END):
            text = _laid_out(_parsed(text))
            begin, middle = text.index(_COMMON_BEGINS), text.index(_MEASUREMENTS_BEGIN)
        head = _parsed(text[:begin] + "}")
        try:
            gpu, made, names = Gpu(**head["gpu"]), head["made"], head["fields"]
            first, last = made["first"], made["last"]
        except (KeyError, TypeError) as error:
            raise _damaged(error) from error
        if not (fits(gpu, Gpu) and fits((first, last), tuple[str, ...]) and _are_names(names)):
            raise ValueError("it is damaged: what it says of the GPU, the dates or the fields is no text")
        check_arch(gpu.arch)
        common = text[begin + len(_COMMON_BEGINS) : middle].split(_NEXT)
        measurements = text[middle + len(_MEASUREMENTS_BEGIN) - 1 : 1 - len(_END)]
        return cls(gpu, first, last, names, common, measurements)

    @cached_property
    def count(self) -> int:
        """How many measurements it holds."""
        return self.text.count(_NEXT) + 1 if len(self.text) > len("\n\n") else 0

    def find(self, fingerprint: str) -> Entry | None:
        """The measurement of this access, if there is one. Raises ValueError, with the end of a sentence."""
        key = f'\n"{fingerprint}": '
        place = self.text.find(key)
        if place < 0:
            return None
        begin = place + len(key)
        return self._entry(fingerprint, self.text[begin : self.text.index("\n", begin)])

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """(fingerprint, measurement) of all. Raises ValueError, with the end of a sentence."""
        for line in self.text.strip("\n").split("\n") if self.count else ():
            name, _, values = line.partition(": ")
            yield name.strip('"'), self._entry(name.strip('"'), values)

    def _entry(self, fingerprint: str, line: str) -> Entry:
        try:
            values = self._named("measurement", json.loads(line.removesuffix(",")))
            for name in _COMMON:
                values[name] = self._named(name, self._value(values[name]))
            labels = values.pop("labels")
            measurement = Measurement.from_json(values | {"gpu": asdict(self.gpu), "origin": "recorded"})
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise _damaged(error) from error
        are_labels = isinstance(labels, list) and labels and fits(tuple(labels), tuple[str, ...])
        if not (are_labels and fits(measurement, Measurement) and _is_sound(measurement)):
            raise ValueError(f"it is damaged: a value of measurement {fingerprint} is not of its kind")
        if measurement.access.fingerprint() != fingerprint:
            raise ValueError(f"it is damaged: measurement {fingerprint} is of another access")
        return Entry(tuple(labels), measurement)

    def _value(self, number: Any) -> Any:
        """The common value of this number. Raises ValueError when there is none."""
        if type(number) is not int or not 0 <= number < len(self.common):
            raise ValueError(f"there is no common value {number!r}")
        return json.loads(self.common[number])

    def _named(self, name: str, value: Any) -> Any:
        """A list of the file as an object, by the names that the file gives its fields."""
        if not isinstance(value, list) or name not in self.fields:
            return value
        return {field: self._named(field, part) for field, part in zip(self.fields[name], value, strict=True)}


def text_of(gpu: Gpu, entries: Mapping[str, Entry], version: str) -> str:
    """The text of a file. entries: by fingerprint, at least one, all of this GPU. version: of the program."""
    common: dict[str, int] = {}
    measurements = {name: _as_list("measurement", _packed(entries[name], common)) for name in sorted(entries)}
    dates = [entry.measurement.date for entry in entries.values()]
    return _laid_out(
        {
            "schema": SCHEMA,
            "gpu": asdict(gpu),
            "made": {"first": min(dates), "last": max(dates), "warpviz": version},
            "fields": _FIELDS,
            "common": [json.loads(value) for value in common],
            "measurements": measurements,
        }
    )


def _packed(entry: Entry, common: dict[str, int]) -> dict[str, Any]:
    """The fields of a measurement. common: the texts of the values met so far, each with its number."""
    values = entry.measurement.to_json() | {"labels": list(entry.labels)}
    packed = {name: _as_list(name, _short(values[name])) for name in _FIELDS["measurement"]}
    for name in _COMMON:
        packed[name] = common.setdefault(_json(packed[name]), len(common))
    return packed


def _as_list(name: str, value: Any) -> Any:
    """An object that has fields as a list of them."""
    if not isinstance(value, dict) or set(value) != set(_FIELDS.get(name, ())):
        return value
    return [_as_list(field, value[field]) for field in _FIELDS[name]]


def _short(value: Any) -> Any:
    """The value with its fractions rounded."""
    if isinstance(value, dict):
        return {name: _short(part) for name, part in value.items()}
    return float(f"{value:.{_DIGITS}g}") if isinstance(value, float) else value


def _laid_out(data: dict[str, Any]) -> str:
    """The file's object as text, an entry a line. Raises ValueError when a key is missing."""
    try:
        head = _NEXT.join(f"{_json(key)}: {_json(data[key])}" for key in ("schema", "gpu", "made", "fields"))
        common = _NEXT.join(map(_json, data["common"]))
        measurements = _NEXT.join(f"{_json(name)}: {_json(values)}" for name, values in data["measurements"].items())
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(error) from error
    return "{\n" + head + _COMMON_BEGINS + common + _MEASUREMENTS_BEGIN + measurements + _END


def _parsed(text: str) -> dict[str, Any]:
    """The file's object, of this schema. Raises ValueError, with the end of a sentence."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is no JSON: {error}") from error
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema == SCHEMA:
        return dict(data)
    number = _SCHEMA_NUMBER.fullmatch(schema) if isinstance(schema, str) else None
    if number is None:
        raise ValueError("it is no file of recorded measurements")
    if int(number[1]) > int(SCHEMA.rpartition("-")[2]):
        raise ValueError(f"its schema is {schema}, which a newer warpviz wrote: install that one")
    raise ValueError(f"its schema is {schema}, which an older warpviz wrote: record it anew with `warpviz record`")


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _are_names(given: Any) -> bool:
    """Whether these are lists of names, by name."""
    if not isinstance(given, dict) or not all(isinstance(names, list) for names in given.values()):
        return False
    return all(fits(tuple(names), tuple[str, ...]) for names in given.values())


def _is_sound(measurement: Measurement) -> bool:
    """Whether the numbers are such as a measurement has: what others are divided by is more than nothing."""
    slope, bandwidth = measurement.wavefronts, measurement.bandwidth
    if slope is not None and min(slope.unit_cycles, slope.cycles_per_access) <= 0:
        return False
    if slope is not None and (min(slope.spread, slope.repeats) < 0 or (slope.count or 0) < 0):
        return False
    return not isinstance(bandwidth, Bandwidth) or (
        min(bandwidth.seconds, bandwidth.copy_gb_per_second) > 0
        and 0 < bandwidth.bytes_useful < _MOST_BYTES
        and 0 < bandwidth.bytes_moved < _MOST_BYTES
    )


def _damaged(error: Exception) -> ValueError:
    missing = isinstance(error, KeyError) and error.args and isinstance(error.args[0], str)
    return ValueError(f"it is damaged: {error} is missing" if missing else "it is damaged: a value is not of its kind")

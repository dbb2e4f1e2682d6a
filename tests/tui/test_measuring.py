"""What `m` says where there is no GPU."""

from __future__ import annotations

import numpy as np
import pytest

from warpviz.access import Access
from warpviz.tui.measuring import look_up, refuse


def test_without_a_gpu_a_recording_is_said_not_to_be_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.gpu.gpu_present", lambda: False)
    recorded = refuse(Access.of(np.arange(32) * 32, space="shared"), "sm_90")
    assert recorded.measurement is not None
    assert recorded.said == "no GPU here"
    unknown = refuse(Access.of(np.arange(32) * 3996, space="shared"), "sm_90")
    assert unknown.measurement is None
    assert unknown.said == "no GPU here, and nothing is recorded for this access on sm_90"


def test_a_recording_of_another_architecture_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.gpu.gpu_present", lambda: False)
    access = Access.of(np.arange(32) * 32, space="shared")
    assert look_up(access, "sm_90a").measurement is not None
    elsewhere = look_up(access, "sm_75")
    assert elsewhere.measurement is None
    assert elsewhere.said == "no GPU here, and nothing is recorded for this access on sm_75"

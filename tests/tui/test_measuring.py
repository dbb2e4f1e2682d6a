"""What `m` says where there is no GPU."""

from __future__ import annotations

import numpy as np
import pytest

from warpviz.access import Access
from warpviz.tui.measuring import refuse


def test_without_a_gpu_a_recording_is_said_not_to_be_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpviz.gpu.gpu_present", lambda: False)
    recorded = refuse(Access.of(np.arange(32) * 32, space="shared"))
    assert recorded.measurement is not None
    assert recorded.said == "no GPU here"
    unknown = refuse(Access.of(np.arange(32) * 3996, space="shared"))
    assert unknown.measurement is None
    assert unknown.said == "no GPU here, and nothing is recorded for this access"

"""What a GPU is asked about an evaluated expression."""

from __future__ import annotations

from warpviz.expression import Evaluation, Launch
from warpviz.gpu import ProbeRequest
from warpviz.gpu.request import Counters


def request_of(evaluation: Evaluation, launch: Launch, counters: Counters = "auto") -> ProbeRequest:
    """To measure this access: its predicted addresses, and the expression as CUDA, for the GPU to evaluate itself."""
    return ProbeRequest.of(
        evaluation.access,
        evaluation.cuda_source(),
        block=launch.block,
        block_index=launch.block_index,
        grid=launch.grid_extent,
        warp=launch.warp,
        counters=counters,
    )

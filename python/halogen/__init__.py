"""Halo exchanges for NumPy arrays and arrays on GPUs, over MPI.

    spec = halogen.load("channel.lua")
    with spec.create(MPI.COMM_WORLD, cells=(256, 128, 64)) as halo:
        f = halo.alloc()                       # f.u, f.v, f.w are NumPy arrays with their halos
        halo.velocity(f)                       # start and finish
        with halo.velocity.start(f):
            ...                                # work that needs no ghost point

See halogen.load, Spec.create, Halo and Exchange; docs/python.md tells it from the beginning.
"""

from __future__ import annotations

__version__ = "0.1.0"

from .arrays import Arrays
from .boundary import Wall
from .device import DeviceArray
from .cycle import Cycle
from .errors import (
    AllocationError,
    ArgumentError,
    CompilerError,
    DeadlineError,
    DeviceError,
    Error,
    InternalError,
    LimitError,
    MismatchError,
    MpiError,
    PartitionError,
    SpecError,
    StateError,
)
from .exchange import Done, Exchange, Message, Pending
from .handle import Halo, Traffic
from .lists import Ids
from .observe import Event, Observer
from .ocean import Map
from .points import Points
from .pool import Counters, Pool
from .shared import Tables, Window
from .spec import Block, Carried, CycleFacts, ExchangeFacts, Field, Partition, Spec
from .load import load
from . import build
from .build import (
    cartesian,
    cubed_sphere,
    cycle,
    exchange,
    field,
    fields,
    fold,
    index_list,
    param,
    spec,
    step,
    struct,
    table,
    tiles,
    vector,
)

__all__ = [
    "AllocationError",
    "ArgumentError",
    "Arrays",
    "Block",
    "Carried",
    "CompilerError",
    "Counters",
    "Cycle",
    "CycleFacts",
    "DeadlineError",
    "DeviceArray",
    "DeviceError",
    "Done",
    "Error",
    "Event",
    "Exchange",
    "ExchangeFacts",
    "Field",
    "Halo",
    "Ids",
    "InternalError",
    "LimitError",
    "Message",
    "MismatchError",
    "MpiError",
    "Observer",
    "Partition",
    "PartitionError",
    "Pending",
    "Map",
    "Points",
    "Pool",
    "Spec",
    "SpecError",
    "StateError",
    "Tables",
    "Traffic",
    "Wall",
    "Window",
    "build",
    "cartesian",
    "cubed_sphere",
    "cycle",
    "exchange",
    "field",
    "fields",
    "fold",
    "index_list",
    "load",
    "param",
    "spec",
    "step",
    "struct",
    "table",
    "tiles",
    "vector",
]

"""Fracas finds every collision between meshes that deform, break and move.

    import fracas
    v, f = fracas.read("bunny.obj")
    print(len(fracas.self_intersections(v, f)), "pairs of triangles intersect")

Scenes of many bodies: fracas.Scene; volumes: fracas.Tets. Arrays of numpy go in and come out
without copies where their layout allows it. docs/python.md explains the package; `fracas.abi` and
`fracas.lib` have the whole interface of C.
"""
from . import _abi as abi
from ._abi import FRACAS_NONE as NONE
from ._abi import fracas_contact_kind as ContactKind
from ._abi import fracas_meeting as Meeting
from ._abi import fracas_mode as Mode
from ._abi import fracas_motion as Motion
from ._abi import fracas_side as Side
from ._abi import fracas_status as Status
from ._batches import distances, impacts
from ._context import Context, default_context
from ._errors import (BadDataError, BadIndexError, CancelledError, Error, FileError, InternalError,
                      InvalidArgumentError, OutOfMemoryError, StaleHandleError, UnsupportedError)
from ._fragments import Fragment, Fragments, Solid
from ._functions import detect, max_step, nearby, self_intersections
from ._library import lib
from ._medial import MedialBodies, MedialBody, MedialMesh, MedialShape
from ._meshes import Mesh, describe, parse, read, tet_boundary, write_ply
from ._pairs import (edge_edge_impact, point_in_tetrahedron, triangles_intersect,
                     triangles_intersection, vertex_face_impact)
from ._queries import Candidates, Intersections, Stream
from ._scene import Body, Scene
from ._tets import Penetrations, TetBody, Tets, penetrations
from ._views import (CONTACT, FRAGMENT_CONTACT, MEDIAL_CONTACT, PENETRATION, Contacts, Records)

__version__ = (f"{abi.FRACAS_VERSION_MAJOR}.{abi.FRACAS_VERSION_MINOR}."
               f"{abi.FRACAS_VERSION_PATCH}")

__all__ = [
    "BadDataError", "BadIndexError", "Body", "CONTACT", "CancelledError", "Candidates",
    "ContactKind", "Contacts", "Context", "Error", "FRAGMENT_CONTACT", "FileError", "Fragment",
    "Fragments", "InternalError", "Intersections", "InvalidArgumentError", "MEDIAL_CONTACT",
    "MedialBodies", "MedialBody", "MedialMesh", "MedialShape", "Meeting", "Mesh", "Mode",
    "Motion", "NONE", "OutOfMemoryError", "PENETRATION", "Penetrations", "Records", "Scene",
    "Side", "Solid", "StaleHandleError", "Status", "Stream", "TetBody", "Tets",
    "UnsupportedError", "__version__", "abi", "default_context", "describe", "detect",
    "distances", "edge_edge_impact", "impacts", "lib", "max_step", "nearby", "parse",
    "penetrations", "point_in_tetrahedron", "read", "self_intersections", "tet_boundary",
    "triangles_intersect", "triangles_intersection", "vertex_face_impact", "write_ply",
]

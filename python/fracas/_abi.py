"""The C interface of Fracas: generated from include/fracas by tools/python_abi.py.

Do not edit: change the headers, and run the script.
"""
import ctypes
import enum
from ctypes import (CFUNCTYPE, POINTER, Structure, Union, c_bool, c_char, c_char_p,
                    c_double, c_float, c_int, c_int8, c_int16, c_int32, c_int64,
                    c_size_t, c_ssize_t, c_uint, c_uint8, c_uint16, c_uint32,
                    c_uint64, c_void_p)
from typing import Any

FRACAS_VERSION_MAJOR = 0
FRACAS_VERSION_MINOR = 1
FRACAS_VERSION_PATCH = 0
FRACAS_NONE = 4294967295
FRACAS_CUT_MARGIN = 0.001
FRACAS_MAX_RINGS = 8


class fracas_status(enum.IntEnum):
    """Every function that can fail returns one of these. Finding no contact is success.
    ERROR_INVALID_ARGUMENT: Misuse: a NULL pointer, options without their size, a call out of
        order.
    ERROR_BAD_DATA: A number that is not finite, an index out of range, a malformed file.
    ERROR_STALE_HANDLE: The body has been removed.
    ERROR_OUT_OF_MEMORY: An allocation failed. Every object is as it was before the call.
    ERROR_FILE: A file could not be opened, read or written.
    ERROR_UNSUPPORTED: Not part of this build, or not possible on this CPU.
    ERROR_CANCELLED: Stopped by the progress callback or by fracas_context_cancel.
    ERROR_INTERNAL: A bug in Fracas."""
    OK = 0
    ERROR_INVALID_ARGUMENT = 1
    ERROR_BAD_DATA = 2
    ERROR_STALE_HANDLE = 3
    ERROR_OUT_OF_MEMORY = 4
    ERROR_FILE = 5
    ERROR_UNSUPPORTED = 6
    ERROR_CANCELLED = 7
    ERROR_INTERNAL = 8


class fracas_log_level(enum.IntEnum):
    """fracas_log_level of C."""
    ERROR = 0
    WARNING = 1
    INFO = 2


class fracas_mode(enum.IntEnum):
    """Bits of `modes` in fracas_scene_options and fracas_query.
    DISCRETE: Intersections at t = 1.
    CONTINUOUS: Collisions from t = 0 to t = 1."""
    DISCRETE = 1
    CONTINUOUS = 2
    BOTH = 3


class fracas_contact_kind(enum.IntEnum):
    """Kinds of contact, in the order in which they are reported.
    TT: Discrete: two triangles intersect at t = 1.
    ET: Discrete: a free edge and a triangle intersect at t = 1.
    VF: Continuous: a vertex and a triangle collide.
    EE: Continuous: two edges collide.
    VE: Continuous: a free point and a free edge collide.
    VV: Continuous: two free points collide."""
    TT = 0
    ET = 1
    VF = 2
    EE = 3
    VE = 4
    VV = 5


class fracas_closest_type(enum.IntEnum):
    """Which parts of two features are closest to each other: the smallest parts of both that hold the
    closest points.
    NONE: No distance was computed.
    PARALLEL_EDGES: Two edges side by side, parallel to within an angle of 2^-30: all points of
        the common part are equally close, and one pair of them is reported. The distance has no
        continuous gradient there."""
    NONE = 0
    POINT_POINT = 1
    POINT_EDGE = 2
    POINT_FACE = 3
    EDGE_EDGE = 4
    PARALLEL_EDGES = 5


class fracas_siblings(enum.IntEnum):
    """Which pairs with siblings are reported. Siblings are vertices that a split made from one parent;
    they coincide when the crack opens.
    UNTIL_SEPARATED: Omit pairs that touch only at siblings which still coincide at t = 0.
    REPORT: Report all pairs.
    IGNORE: Omit every pair that has siblings."""
    UNTIL_SEPARATED = 0
    REPORT = 1
    IGNORE = 2


class fracas_scalar(enum.IntEnum):
    """Type of coordinates."""
    DOUBLE = 0
    FLOAT = 1


class fracas_build_quality(enum.IntEnum):
    """How the trees of a scene are built. The contacts are the same with each.
    FAST_QUERY: Default: better trees, slower to build.
    FAST_BUILD: For bodies that are added often or queried rarely."""
    FAST_QUERY = 0
    FAST_BUILD = 1


class fracas_motion(enum.IntEnum):
    """DEFORMING: Each point is moved by fracas_scene_move.
    RIGID: Points are given in the frame of the body, which fracas_scene_pose moves.
    STATIC: Never moves."""
    DEFORMING = 0
    RIGID = 1
    STATIC = 2


class fracas_move_kind(enum.IntEnum):
    """POINTS: Of a deforming body.
    POSE: Of a rigid body."""
    POINTS = 0
    POSE = 1


class fracas_element_kind(enum.IntEnum):
    """fracas_element_kind of C."""
    VERTEX = 0
    TRIANGLE = 1


class fracas_feature(enum.IntEnum):
    """Features of a body."""
    VERTEX = 0
    EDGE = 1
    FACE = 2


class fracas_medial_degenerate(enum.IntEnum):
    """What becomes of cones and slabs of which some spheres add nothing to the hull.
    EXACT: They are replaced by one or two smaller ones with the same union.
    PUBLISHED: As published, for comparison: a slab without two tangent planes becomes the cone
        of its two largest spheres. Parts of the shape may be lost."""
    EXACT = 0
    PUBLISHED = 1


class fracas_medial_selection(enum.IntEnum):
    """ALL: All pairs of primitives that touch during the step.
    FIRST: Of each pair of bodies the contact that comes first."""
    ALL = 0
    FIRST = 1


class fracas_medial_broad_phase(enum.IntEnum):
    """How pairs of bodies are found. Contacts are the same.
    SWEEP: Sorted boxes around the paths, then spheres that move at the same time.
    CONES: As published: all pairs, by the cones that the spheres around them sweep.
    NONE: None: all pairs of primitives of all pairs of bodies."""
    SWEEP = 0
    CONES = 1
    NONE = 2


class fracas_cuda_place(enum.IntEnum):
    """Where memory is.
    DEVICE: Memory that the device can read: its own, managed, or pinned memory of the host."""
    DEVICE = 0
    HOST = 1


class fracas_side(enum.IntEnum):
    """Where a point is. Inside: its winding number is not zero, so a cavity whose surface faces into
    it is outside. All three are exact for the given doubles.
    SURFACE: On a triangle, its edges and vertices included."""
    OUTSIDE = 0
    SURFACE = 1
    INSIDE = 2


class fracas_meeting(enum.IntEnum):
    """How two triangles meet.
    TOUCH: Neither passes through the other, also when they overlap in one plane.
    CROSS: Points inside both meet, and each triangle has corners on both sides of the other. A
        triangle without area is a segment, which crosses when it passes through the inside."""
    NONE = 0
    TOUCH = 1
    CROSS = 2


class fracas_field_update(enum.IntEnum):
    """How distances inside fragments are updated by a fracture. All but EXACT visit only nodes whose
    distance may change.
    CLOSEST_POINT: Nodes inherit the nearest triangle of their neighbours while that reduces
        their distance. Depths are never below the exact ones.
    VISIT_ONCE: Published: weighted extrapolation from neighbours; each node is set once.
    LITERAL: Published, read literally: repeated while a distance decreases, at most 64 times.
        Distances may become negative.
    EXACT: The nearest point of the new surface, found anew for every node: slow."""
    CLOSEST_POINT = 0
    VISIT_ONCE = 1
    LITERAL = 2
    EXACT = 3


class fracas_tree_update(enum.IntEnum):
    """How sphere trees are updated by a fracture. Queries that report all contacts find the same ones.
    NEAREST: A node of the tree that loses its point gets the nearest point of its subtree.
    FIRST: It gets the point of its first child: the method before Glondu et al.
    REBUILD: New trees: slow."""
    NEAREST = 0
    FIRST = 1
    REBUILD = 2


class fracas_contact_selection(enum.IntEnum):
    """Which contacts of a pair of fragments are reported.
    ADAPTIVE: contact_count of them; then those that are deeper than `skin`.
    FIXED: Only the first contact_count."""
    ADAPTIVE = 0
    FIXED = 1
    ALL = 2


class fracas_contact_order(enum.IntEnum):
    """Order in which a tree of spheres is visited.
    MAX_DISTANCE: By maximum distance: each visit of a node adds one child.
    BREADTH_FIRST: Plain breadth-first, for comparison."""
    MAX_DISTANCE = 0
    BREADTH_FIRST = 1


class fracas_weld(enum.IntEnum):
    """DEFAULT: STL: as exact; other formats: as none.
    EXACT: Points at bit-equal positions (-0 equals 0) become one; points are then renumbered in
        the order of the first of each."""
    DEFAULT = 0
    EXACT = 1
    NONE = 2


class fracas_record_values(enum.IntEnum):
    """What a block has besides the indices, bits of fracas_stream.values."""
    TOI = 1
    PARAMETERS = 2
    NORMALS = 4
    DISTANCES = 8
    CLOSEST = 16


class fracas_place_time(enum.IntEnum):
    """IMPACT: At toi of each contact.
    END: At t = 1, for contacts of fracas_scene_nearby."""
    IMPACT = 0
    END = 1


class fracas_published_tets_method(enum.IntEnum):
    """How candidate vertices of a tetrahedron are found.
    SORTED_CELLS: Counting sort of vertices by cell: the default of fracas_tets_create().
    TESCHNER: Spatial hashing with time stamps (Teschner et al. 2003): vertices are inserted,
        then every tetrahedron looks up the cells of its box.
    TESCHNER_ONE_PASS: The one-pass variant: tetrahedra are inserted into the cells of their
        boxes, and those that are in one cell are compared with each other.
    BVH: A bounding volume hierarchy over tetrahedra, queried by every vertex."""
    SORTED_CELLS = 0
    TESCHNER = 1
    TESCHNER_ONE_PASS = 2
    BVH = 3


class fracas_published_tets_hash(enum.IntEnum):
    """Hash function of the Teschner methods.
    XOR: Published: xor of the products of the cell's indices with three large primes.
    ADDITIVE: Sum of the same products.
    ROTATING: Rotations and xor."""
    XOR = 0
    ADDITIVE = 1
    ROTATING = 2


class fracas_published_tets_test(enum.IntEnum):
    """How a pair of a vertex and a tetrahedron is decided. The last two are UNSOUND: their arithmetic
    is rounded, so they miss and invent pairs near the boundary, and no vertex is in a flat
    tetrahedron.
    EXACT: Exact signs, with filters.
    BARYCENTRIC: Published: barycentric coordinates with respect to one corner, in doubles.
    HALF_SPACES: What the paper compares them with: the half-space of one face after the other,
        in doubles."""
    EXACT = 0
    BARYCENTRIC = 1
    HALF_SPACES = 2


class fracas_published_builder(enum.IntEnum):
    """How a tree is built. The contacts are the same with each.
    GRID: A counting sort of triangle centres into a grid gives several levels of the tree at
        once."""
    SAH = 0
    MEDIAN = 1
    GRID = 2


class fracas_published_restructure(enum.IntEnum):
    """When the trees of deforming bodies are rebuilt. The contacts are the same with each.
    SELECTIVE: Default: bodies that have lost more time than a rebuild takes (after FASTCD).
    NONE: Never: boxes are refitted.
    ALWAYS: Every body that has changed, in each update.
    RESTART: All bodies, in each update after a split or a merge (T-CCD).
    LAZY: Subtrees, also of the tree over bodies, by the query that finds them degraded (PCCD):
        see fracas_published_scene_detect_lazy. Only with cull = NONE, modes =
        FRACAS_MODE_CONTINUOUS, broad = TREE and a PCCD scheduler.
    SUBTREES: Subtrees, from the root down, as FASTCD describes it: where a rebuild gains more
        in one query than it costs, and costs at most restructure_share of the queries since the
        last update. With the LM metric: where it has fallen below 0.9 of its value after the
        last rebuild (HPCCD).
    RESTART_SUBTREES: All bodies, in an update after a split or a merge; in all others as
        SUBTREES (T-CCD)."""
    SELECTIVE = 0
    NONE = 1
    ALWAYS = 2
    RESTART = 3
    LAZY = 4
    SUBTREES = 5
    RESTART_SUBTREES = 6


class fracas_published_metric(enum.IntEnum):
    """How FRACAS_PUBLISHED_RESTRUCTURE_SELECTIVE and ..._SUBTREES measure a tree.
    TC: Traversal cost relative to that after the last build (FASTCD). SUBTREES uses the formula
        of the paper, which leaves out what is culled; SELECTIVE counts overlaps of boxes.
    LM: Volume of a node relative to the sum of its children's (Larsson and Akenine-Möller
        2006)."""
    TC = 0
    LM = 1


class fracas_published_cull(enum.IntEnum):
    """Which parts of a body are left out of its self-collision. Contacts are the same with CERTIFICATE
    and NONE; the others are UNSOUND: they miss contacts (docs/cull.md).
    CERTIFICATE: Default: the projected contour is simple.
    NONE: Nothing is left out.
    NORMAL_CONE: Normals lie in a cone (Provot; T-CCD\\CCT).
    NORMAL_CONE_BOUNDARY: Normals lie in a cone, and the mesh boundary is simple.
    NORMAL_CONE_CONTOUR: Normals lie in a cone, and the contour is simple (T-CCD).
    DUAL_CONE: Cones of normals and binormals (FASTCD).
    DUAL_CONE_FRONT: The same condition, tested with SIMD and on a front that is kept between
        updates."""
    CERTIFICATE = 0
    NONE = 1
    NORMAL_CONE = 2
    NORMAL_CONE_BOUNDARY = 3
    NORMAL_CONE_CONTOUR = 4
    DUAL_CONE = 5
    DUAL_CONE_FRONT = 6


class fracas_published_broad(enum.IntEnum):
    """How pairs that may touch are found. The contacts are the same with each.
    TREE: Trees of boxes, kept from frame to frame.
    HASH: Spatial hashing of triangles (Teschner et al.; the S-Hash that FASTCD is compared
        with). Each query fills its own hash grid. There are no trees: builders, restructuring,
        culling and the scheduler have no effect."""
    TREE = 0
    HASH = 1


class fracas_published_scheduler(enum.IntEnum):
    """How the work of a query is distributed to workers. The contacts are the same with each.
    WORK_SHARING: Default: busy workers publish pairs of nodes.
    PCCD: PCCD: the self-collision of a node is a task. An idle worker requests a node from the
        worker that would give it the largest one, requests of other workers considered.
    PCCD_DISJOINT: PCCD's first method to divide one task near the root: pairs without a common
        node run in rounds, without locks.
    PCCD_FRONT: PCCD in which idle workers compare the first nodes of queues, whatever is
        requested already."""
    WORK_SHARING = 0
    PCCD = 1
    PCCD_DISJOINT = 2
    PCCD_FRONT = 3


class fracas_published_filter(enum.IntEnum):
    """Filters of a continuous query before the exact test. The contacts are the same with each.
    ALL: Default.
    NON_PENETRATION: The signs of the coefficients of the cubic."""
    ALL = 0
    NON_PENETRATION = 1
    NONE = 2


class _fracas_move_2(Union):
    """points_t1: FRACAS_MOVE_POINTS: as for fracas_scene_move.
    poses: FRACAS_MOVE_POSE: at t = 0 and t = 1, as for fracas_scene_pose."""


class fracas_allocator(Structure):
    """Memory functions of the application. With several workers all of their
    threads may call both concurrently.
    allocate: Returns NULL if there is no memory.
    release: `size` is the size that was allocated."""


class fracas_task_hooks(Structure):
    """The scheduler of the application.
    enqueue: Runs `task(task_data)` now or later, on any thread. Returns a handle, or NULL when
        the task has run already.
    finish: Returns after the task of `handle` has run."""


class fracas_context_options(Structure):
    """Start from fracas_context_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_context_default_options; detects uninitialised options.
    worker_count: Threads that work on one call, including the calling thread. 0: one per core.
    allocator: All NULL: malloc and free.
    tasks: All NULL: a thread pool of the context.
    log: May be NULL.
    progress: May be NULL.
    spin_ms: How long an idle thread of the pool spins before it sleeps, in milliseconds. 0:
        0.2. Waking a thread takes time and its caches are cold: a simulation loop is faster
        when threads spin from one call to the next (INFINITY: always), at the price of busy
        cores. Ignored when there are more workers than cores."""


class fracas_context(Structure):
    """fracas_context of C."""


class fracas_body(Structure):
    """Handle of a body. All zero: no body. The handle of a removed body is detected and rejected."""


class fracas_contact(Structure):
    """One contact. Indices are those of the caller. Pairs of features of the same kind are reported
    once, the smaller (body, index) first.
      TT: a[0], b[0] triangles         ET: a[0], a[1] vertices of the edge, b[0] triangle
      VF: a[0] vertex, b[0] triangle   EE: a[0] < a[1] and b[0] < b[1], vertices of the edges
      VE: a[0] point, b[0] < b[1]      VV: a[0], b[0] points
    Unused entries are FRACAS_NONE.
    toi: Continuous: never later than the true first time, at most the tolerance earlier.
    u: VF: the point is (1-u-v) c0 + u c1 + v c2. EE: positions along edges a and b.
    v: VF: the point is (1-u-v) c0 + u c1 + v c2. EE: positions along edges a and b.
    normal: Unit vector from b to a; zero where none is defined.
    distance: fracas_scene_nearby: distance of the closest points. Otherwise 0.
    closest: fracas_scene_nearby: which parts of the features are closest. Otherwise
        FRACAS_CLOSEST_NONE.
    reserved: Zero; reserved for later versions."""


class fracas_query(Structure):
    """Start from fracas_scene_default_query(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_scene_default_query; detects an uninitialised query.
    modes: Bits of fracas_mode; default FRACAS_MODE_CONTINUOUS.
    first: Report only the earliest contact; of several at that time, or of discrete contacts,
        the first in the order of reports.
    tolerance: How early a time of impact may be, as a fraction of the step; above 0, at most 1.
        Default 1e-6.
    min_separation: Continuous: report pairs that come within this distance (default 0: that
        touch). Contains all pairs with distance <= d and none with distance > d (1 + 2^-20).
    t_max: Continuous: report only contacts up to this time, above 0; default 1. A contact at
        exactly this time counts.
    max_contacts: The largest number of contacts to report, 0 (default): all. Which ones does
        not depend on the number of threads: the first in the order of fracas_scene_stream with
        its default block; of kept candidates and on a device the first in the order of reports.
        When there are more, fracas_statistics.limit_reached is 1. Ignored with `first`. A scene
        of published.h refuses."""


class fracas_statistics(Structure):
    """Work of one query. Times are wall-clock milliseconds.
    contacts: By fracas_contact_kind.
    box_pairs: Tests of one box against four.
    filtered: Continuous: candidates that the filters rejected.
    exact: Candidates that needed exact arithmetic.
    earliest_toi: INFINITY when there is no continuous contact.
    ms_sort: Part of ms_total.
    ms_idle: Part of ms_traverse: idle time of a worker, on average.
    left_out: Contacts that the filter of the scene has left out.
    limit_reached: 1: there are more contacts than fracas_query.max_contacts; those were not
        counted.
    reserved: Zero; reserved for later versions."""


class fracas_sink(Structure):
    """Receiver of contacts.
    report: NULL: count only.
    statistics: NULL or overwritten on success."""


class fracas_contacts(Structure):
    """A growing list of contacts that the caller keeps and reuses. It never drops a contact."""


class fracas_points(Structure):
    """`count` points of three numbers each. Not copied, not owned; memory need not be aligned.
    stride: Bytes from one point to the next. 0: tightly packed."""


class fracas_mesh_view(Structure):
    """A mesh in the caller's memory. Faces, edges and points are closed: the convex hulls of their
    vertices. A triangle with a repeated index is a segment or a point. Vertices without a triangle,
    free edge or free point are ignored.
    triangles: Three indices each; may be NULL when triangle_count is 0.
    edges: Free edges, two indices each: wires, hair. May be NULL when edge_count is 0.
    vertices: Free points, one index each: particles. May be NULL when vertex_count is 0."""


class fracas_tet_view(Structure):
    """Tetrahedra in the caller's memory. A tetrahedron is closed: the convex hull of its four corners,
    with either orientation, flat or not. Vertices without a tetrahedron are ignored.
    tets: Four indices each; may be NULL when tet_count is 0."""


class fracas_mesh_info(Structure):
    """Description of a mesh. Edges are unordered pairs of distinct vertices of the triangles, each
    counted once.
    free_edges: As listed in the view.
    free_vertices: As listed in the view.
    unused_vertices: Vertices without a triangle, free edge or free point.
    components: Connected components of triangles and free edges.
    boundary_edges: Edges of exactly one triangle.
    nonmanifold_edges: Edges of more than two triangles.
    misoriented_edges: Edges of two triangles that traverse it in the same direction. A triangle
        with a repeated index traverses its edge in both.
    repeated_index_triangles: Triangles that are a segment or a point by their indices.
    flat_triangles: Triangles of exactly zero area, by their positions.
    duplicate_triangles: Triangles with the same three vertices as an earlier one.
    closed: The mesh has triangles, and no boundary edge.
    manifold: No edge is non-manifold. Vertices are not examined.
    box_min: Bounding box of all points; zero when there are none.
    box_max: Bounding box of all points; zero when there are none.
    reserved: Zero; reserved for later versions."""


class fracas_tet_info(Structure):
    """Description of a volume. Faces are unordered triples of distinct vertices of the tetrahedra,
    each counted once; tetrahedra with a repeated index have none.
    unused_vertices: Vertices without a tetrahedron.
    components: Connected components of tetrahedra.
    boundary_triangles: Faces of exactly one tetrahedron.
    nonmanifold_triangles: Faces of more than two tetrahedra.
    inverted: Tetrahedra of exactly negative volume: det(b - a, c - a, d - a) < 0 for corners a,
        b, c, d.
    flat: Tetrahedra of exactly zero volume, by their positions.
    repeated_index_tets: Tetrahedra that are a triangle or less by their indices.
    duplicate_tets: Tetrahedra with the same four distinct vertices as an earlier one.
    box_min: Bounding box of all points; zero when there are none.
    box_max: Bounding box of all points; zero when there are none.
    reserved: Zero; reserved for later versions."""


class fracas_pose(Structure):
    """x -> rotation * x + translation, computed in this order: ((r0 x + r1 y) + r2 z) + t, each
    operation rounded to double. Any matrix is accepted as rotation.
    rotation: Row by row."""


class fracas_scene(Structure):
    """fracas_scene of C."""


class fracas_scene_options(Structure):
    """Start from fracas_scene_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_scene_default_options; detects uninitialised options.
    modes: Modes that queries may use, bits of fracas_mode; default FRACAS_MODE_BOTH."""


class fracas_body_options(Structure):
    """Start from fracas_body_default_options(); a NULL pointer means exactly that.
    Two bodies are tested against each other when each one's group has a bit of the other's mask.
    struct_size: Filled in by fracas_body_default_options; detects uninitialised options.
    group: Default 1.
    mask: Default: all bits.
    self_collision: Default true.
    pose: Initial pose of a rigid body; default identity.
    thickness: Finite, at least 0; default 0. fracas_scene_set_thickness explains it.
    user: Stored for the caller, and never read: fracas_body_info returns it. Default NULL."""


class fracas_move(Structure):
    """The move of one body. `kind` selects the member of the union and must fit the body's motion."""


class fracas_update_statistics(Structure):
    """Work of one update. Times are wall-clock milliseconds.
    cull_tried: Tree nodes tested for self-collision, and nodes that are proven to have none.
    cull_certified: Tree nodes tested for self-collision, and nodes that are proven to have
        none.
    ms_refit: Refitting boxes to points.
    ms_restructure: Building and rebuilding the trees of bodies.
    ms_cull: Testing nodes for self-collision.
    reserved: Zero; reserved for later versions."""


class fracas_body_info(Structure):
    """user: Of fracas_body_options or fracas_scene_set_user.
    vertex_numbers: One more than the largest number ever assigned.
    triangle_numbers: One more than the largest number ever assigned.
    vertices: Current counts.
    triangles: Current counts.
    reserved: Zero; reserved for later versions."""


class fracas_new_vertex(Structure):
    """A vertex that a split adds. With parents its position is (1 - weight) * a + weight * b at both
    ends of the step, or that of a if parent_b is FRACAS_NONE; then it is a sibling of a.
    parent_a: Both FRACAS_NONE: t0 and t1 are its positions.
    parent_b: Both FRACAS_NONE: t0 and t1 are its positions.
    weight: 0 to 1.
    t0: Of a rigid body: t0 is in the frame of the body, t1 is ignored.
    t1: Of a rigid body: t0 is in the frame of the body, t1 is ignored."""


class fracas_repoint(Structure):
    """Replaces the vertex at corner 0, 1 or 2 of a triangle."""


class fracas_split(Structure):
    """The changes of a split. Elements that are not listed stay in the body, which keeps its handle.
    New vertices and new triangles get the numbers after the last ones, in order; the lists below
    may use these numbers. Without parts the split is a cut in place.
    Start from fracas_scene_default_split().
    struct_size: Filled in by fracas_scene_default_split; detects an uninitialised split.
    new_triangles: Crack faces, three vertices each.
    part_count: Parts that leave the body.
    part_offsets: part_count + 1 of them: the triangles of part p are
        part_triangles[part_offsets[p]] to part_triangles[part_offsets[p + 1] - 1], at least
        one; new triangles may be among them."""


class fracas_split_plan(Structure):
    """A split made from labels: triangle t moves to part labels[t] - 1, or stays in the body if
    labels[t] is 0. Vertices along the crack are duplicated; the side with the smaller label keeps
    the vertex."""


class fracas_weld_pair(Structure):
    """The first vertex replaces the second. `body_a` and `body_b` are indices in `bodies`."""


class fracas_merge(Structure):
    """Start from fracas_scene_default_merge(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_scene_default_merge; detects an uninitialised merge.
    vertex_map: NULL, or receives the new number of every vertex number of all bodies in order;
        FRACAS_NONE for removed vertices.
    triangle_map: The same for triangles."""


class fracas_element(Structure):
    """fracas_element of C."""


class fracas_candidates(Structure):
    """The same pairs, kept: 20 bytes each."""


class fracas_vertex_values(Structure):
    """One number for every vertex number of a body, in the caller's memory."""


class fracas_contact_rows(Structure):
    """The contacts of each vertex, edge or triangle of a body, as rows of a sparse matrix. Row r has
    the entries offsets[r] to offsets[r + 1] - 1, ascending.
    row_count: Vertices and triangles: rows are the caller's numbers, all below it. Edges: the
        number of `edges`, which are the rows; contacts of other edges have none.
    edges: Two vertices each, in any order; no edge twice. NULL unless rows are edges.
    offsets: Receives row_count + 1 numbers.
    entries: Receives offsets[row_count] positions in the list of contacts; NULL: offsets only.
    entry_capacity: Number of entries for which there is memory."""


class fracas_medial_mesh(Structure):
    """fracas_medial_mesh of C."""


class fracas_medial_sphere(Structure):
    """fracas_medial_sphere of C."""


class fracas_medial_view(Structure):
    """A medial mesh in the caller's memory.
    edges: Two indices each; may be NULL when edge_count is 0.
    triangles: Three indices each; may be NULL when triangle_count is 0."""


class fracas_medial_mesh_options(Structure):
    """Start from fracas_medial_mesh_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_medial_mesh_default_options; detects uninitialised options.
    spheres: How many spheres; there are more where the topology of the surface needs them, and
        fewer where fewer describe it exactly. 0, the default: as few as `error` allows.
    error: The largest distance of the surface from the shape, as a part of the diagonal of its
        box. Used when `spheres` is 0. Default: 0.01.
    samples: Points of the surface at which the medial axis is computed: more resolve thinner
        parts. 0, the default: 15,000.
    fit_rounds: Rounds of fitting the spheres to the surface. Default: 96.
    spheres_only: Only spheres, no cones and slabs: for programs that know nothing else.
        `spheres` is then positive. Default: false."""


class fracas_medial_fit(Structure):
    """Distances from sample points of one surface to another."""


class fracas_medial_mesh_info(Structure):
    """Size and fit. Lengths are in the unit of the surface; divide them by `diagonal` to compare
    surfaces. Of a mesh that was not made from a surface only the counts are set.
    medial_vertices: Spheres before simplification, and the samples of the surface.
    samples: Spheres before simplification, and the samples of the surface.
    diagonal: Diagonal of the box of the surface.
    from_surface: From vertices and triangle centres of the surface to the boundary of the
        shape; an upper bound where they are inside.
    to_surface: From points of the boundary of the shape to the surface.
    protrusion: How far the shape sticks out of the surface, at the same points.
    surface_covered: The share of the samples of from_surface that are in the shape or nearer to
        it than 0.1 % of the diagonal.
    surface_volume: The volume of the surface, that of the shape, and the share of the surface's
        volume that is in the shape. The last two are estimated at `volume_points` lattice
        points.
    volume: The volume of the surface, that of the shape, and the share of the surface's volume
        that is in the shape. The last two are estimated at `volume_points` lattice points.
    volume_covered: The volume of the surface, that of the shape, and the share of the surface's
        volume that is in the shape. The last two are estimated at `volume_points` lattice
        points.
    ms: Wall-clock milliseconds: all, and of it measuring.
    ms_measure: Wall-clock milliseconds: all, and of it measuring.
    inflation: With this added to all radii the shape contains the surface: every point of its
        triangles, not only the samples of from_surface. At most 0.01 % of the diagonal more
        than necessary.
    reserved: Zero; reserved for later versions."""


class fracas_medial_shape(Structure):
    """fracas_medial_shape of C."""


class fracas_medial_bodies(Structure):
    """fracas_medial_bodies of C."""


class fracas_medial_shape_options(Structure):
    """Start from fracas_medial_shape_default_options(); a NULL pointer means exactly that.
    inflation: Added to every radius, at least 0. With fracas_medial_mesh_info.inflation, and
        the default of `degenerate`, the shape contains the surface that the medial mesh was
        made from: where two such bodies have no contact, their surfaces do not touch, either.
        (One may be inside the other only if the shape has a void, as slabs may leave inside a
        solid.) Default: 0.
    centre: The point that moves linearly during a step: the centre of mass, in the frame of the
        mesh. Default: not a number, which stands for the centre of a sphere around the mesh."""


class fracas_medial_shape_info(Structure):
    """Size of a shape. A primitive is a sphere, cone or slab that is in no other one.
    degenerate: Cones and slabs of the mesh that were degenerate, and edges that were dropped
        because they belong to a triangle.
    dropped: Cones and slabs of the mesh that were degenerate, and edges that were dropped
        because they belong to a triangle.
    radius: Of a sphere around the centre that contains the shape.
    reserved: Zero; reserved for later versions."""


class fracas_medial_body(Structure):
    """fracas_medial_body of C."""


class fracas_medial_query(Structure):
    """Start from fracas_medial_bodies_default_query(); a NULL pointer means exactly that.
    tolerance: Primitives that come this near count as touching, as a part of the smaller radius
        of the two bodies; positive. Times of contacts are before the true ones by as much as
        the primitives need for that way. Default: 1e-4."""


class fracas_medial_contact(Structure):
    """Two primitives that touch during the step.
    primitive_a: Edges of the medial mesh by their numbers, then its triangles, then its
        spheres. A contact of a part of a degenerate slab has the number of the slab.
    primitive_b: Edges of the medial mesh by their numbers, then its triangles, then its
        spheres. A contact of a part of a degenerate slab has the number of the slab.
    time: From 0 to 1. The primitives are apart before it.
    gap: At that time; negative if they overlap when the step begins.
    position: In the world, at that time. The normal is the unit vector along which `a` leaves
        `b`.
    normal: In the world, at that time. The normal is the unit vector along which `a` leaves
        `b`.
    reserved: Zero; reserved for later versions."""


class fracas_medial_statistics(Structure):
    """Work of one query.
    pairs: Pairs of bodies, after the broad phase; and of their primitives.
    primitive_pairs: Pairs of bodies, after the broad phase; and of their primitives.
    node_tests: Pairs of nodes of trees that were tested; pairs of primitives of which the exact
        motion was.
    primitive_tests: Pairs of nodes of trees that were tested; pairs of primitives of which the
        exact motion was.
    reserved: Zero; reserved for later versions."""


class fracas_medial_sink(Structure):
    """report: NULL: count only.
    statistics: NULL: not wanted."""


class fracas_cuda_context(Structure):
    """A device with its memory. Several may exist, also for one device."""


class fracas_cuda_options(Structure):
    """Start from fracas_cuda_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_cuda_default_options; detects uninitialised options.
    device: Number of the device; default 0."""


class fracas_cuda_points(Structure):
    """Points as __cuda_array_interface__ describes an array of shape (count, 3).
    data: Aligned to its scalar.
    reserved: Zero; reserved for later versions.
    stride: Bytes from a point to the next and from x to y and y to z: multiples of the size of
        a scalar. Both 0: tightly packed.
    axis_stride: Bytes from a point to the next and from x to y and y to z: multiples of the
        size of a scalar. Both 0: tightly packed."""


class fracas_cuda_move(Structure):
    """body: A deforming body, once in a call.
    points_t1: One point for each vertex number of the body, as for fracas_scene_move."""


class fracas_cuda_contact(Structure):
    """A contact, 64 bytes. Numbers, times, parameters and the normal mean what they mean in
    fracas_contact."""


class fracas_cuda_bodies(Structure):
    """The bodies of a contact, as the indices of their handles."""


class fracas_cuda_range(Structure):
    """The contacts of one kind, in the order of fracas_scene_detect, and their bodies."""


class fracas_cuda_contacts(Structure):
    """By fracas_contact_kind. The memory belongs to the scene. It is valid until the next query of the
    scene, and until the scene is destroyed."""


class fracas_cuda_statistics(Structure):
    """Work of the last query of such a scene. Pairs are pairs of features.
    candidates: Pairs whose boxes overlap.
    filtered: Pairs left by the filters, by the common cases of the roots, by floating point.
    undecided_quick: Pairs left by the filters, by the common cases of the roots, by floating
        point.
    undecided_roots: Pairs left by the filters, by the common cases of the roots, by floating
        point.
    decided_on_host: Pairs that the host has decided.
    hits: Contacts that the device has decided.
    repeats: How often lists were too short: they grew and the search was repeated.
    unordered: Comparisons whose contacts the host has sorted, because too many of them begin
        alike.
    device_bytes: Bytes of device memory in use.
    ms_upload: Milliseconds: upload of positions; stages on the device; until the last record is
        on the host; from then until the last contact is made.
    ms_device: Milliseconds: upload of positions; stages on the device; until the last record is
        on the host; from then until the last contact is made.
    ms_download: Milliseconds: upload of positions; stages on the device; until the last record
        is on the host; from then until the last contact is made.
    ms_host: Milliseconds: upload of positions; stages on the device; until the last record is
        on the host; from then until the last contact is made.
    uploaded_bytes: Of the scene, copied to the device because it has changed: bytes, and
        clusters of up to 32 features.
    changed_clusters: Of the scene, copied to the device because it has changed: bytes, and
        clusters of up to 32 features.
    reserved: Zero; reserved for later versions."""


class fracas_closest_point(Structure):
    """A point of a body that is closest to a given one.
    distance: The error is at most 2^-46 times the distance from the given point to the furthest
        corner of the triangle. Signed distances: negative inside, 0 exactly on the surface.
    point: (1-u-v) c0 + u c1 + v c2 with the corners of the triangle.
    triangle: The first of those with the same distance.
    side: Of signed distances; otherwise FRACAS_SIDE_OUTSIDE."""


class fracas_body_pair(Structure):
    """fracas_body_pair of C."""


class fracas_body_distance(Structure):
    """The distance of the triangles of two bodies, and the points where they are closest.
    distance: 0 exactly when triangles intersect; a body inside another has a positive distance.
        The error is at most 2^-46 times the largest distance between corners of the two
        triangles.
    point_a: Equal to each other at distance 0.
    point_b: Equal to each other at distance 0.
    u_a: The points are (1-u-v) c0 + u c1 + v c2 with the corners of each triangle. Not set (0)
        at distance 0.
    v_a: The points are (1-u-v) c0 + u c1 + v c2 with the corners of each triangle. Not set (0)
        at distance 0.
    u_b: The points are (1-u-v) c0 + u c1 + v c2 with the corners of each triangle. Not set (0)
        at distance 0.
    v_b: The points are (1-u-v) c0 + u c1 + v c2 with the corners of each triangle. Not set (0)
        at distance 0.
    triangle_a: The first pair of those with the same distance; at distance 0 one that
        intersects.
    triangle_b: The first pair of those with the same distance; at distance 0 one that
        intersects."""


class fracas_body_depth(Structure):
    """A translation that separates the convex hulls of two bodies, and so the bodies.
    depth: The length of the translation: an upper bound of the least distance that body b must
        be moved so that it does not touch body a. 0 when the hulls are apart; positive where
        only the hulls overlap (see fracas_scene_find_distances).
    gap: No translation that is shorter than depth - gap separates the hulls, up to rounding. At
        most a 2^-20 part of the size of both hulls together, unless the search for a better
        direction ended early. So depth is as accurate for convex bodies.
    direction: Unit vector of the translation, from a to b; at depth 0 a direction in which the
        hulls are apart.
    translation: Of body b. Adding it to the vertices of b in doubles separates the bodies, also
        after rounding."""


class fracas_intersection(Structure):
    """The intersection of two triangles: a point, a segment, or a convex polygon in their plane.
    count: 0: none; 1: a point; 2: a segment; 3 to 6: the corners of a polygon, in their order.
    points: The exact coordinates, rounded to less than one unit in the last place. The first
        point is the smallest by x, then y, then z."""


class fracas_impact(Structure):
    """Time and place of the first contact of two moving features.
    toi: In [0, 1]; never later than the true first time, at most `tolerance` earlier.
    u: Vertex and face: the point is (1-u-v) a + u b + v c. Two edges: the points are a + u (b -
        a) and c + v (d - c).
    v: Vertex and face: the point is (1-u-v) a + u b + v c. Two edges: the points are a + u (b -
        a) and c + v (d - c).
    normal: Unit vector, from the face to the side on which the vertex starts, or from edge cd
        to edge ab; zero where no direction is defined."""


class fracas_distance(Structure):
    """The closest points of two features.
    distance: Within 2^-45 of the extent of the pair, and within a few units in the last place
        when it is below 2^-16 of the extent. 0 exactly when they touch.
    weights: The closest points are weighted sums of the vertices, in the order of the
        arguments; those of one feature sum to 1. Unused: 0.
    points: The closest points of the first and of the second feature.
    normal: Unit vector from the second to the first; zero at distance 0."""


class fracas_pair_batch(Structure):
    """Pairs of one kind, in the caller's memory. Start from fracas_pairs_default_batch().
    struct_size: Filled in by fracas_pairs_default_batch; detects an uninitialised batch.
    kind: VF (default), EE, VE or VV.
    points_t0: As many of each. Only points that pairs refer to have to be finite. Distances are
        those of points_t1; points_t0 is not read then.
    points_t1: As many of each. Only points that pairs refer to have to be finite. Distances are
        those of points_t1; points_t0 is not read then.
    indices: For each pair its points: VF vertex and corners of the face, EE both edges (4
        each), VE vertex and edge (3), VV both vertices (2). Indices may repeat.
    min_separation: Impacts: the pairs that come within this distance; default 0, those that
        touch.
    tolerance: Impacts: how early a time may be, as a fraction of the step; default 1e-6.
    max_distance: Distances: the pairs whose distance is at most this; default INFINITY, all."""


class fracas_pairs_result(Structure):
    """What a batch found.
    hits: Pairs that touch, or are within the distance.
    earliest_toi: Of all impacts; INFINITY when there is none, and for distances.
    bad_pair: FRACAS_ERROR_BAD_DATA: the first pair with an index out of range or a point that
        is not finite. Otherwise SIZE_MAX."""


class fracas_solid(Structure):
    """A preprocessed solid. It must outlive all fragments made from it."""


class fracas_solid_options(Structure):
    """Start from fracas_solid_default_options(); a NULL pointer means exactly that.
    grid_cells: Cells of the dense distance grid along the longest side of the solid, 4 to 256.
        Default: 48."""


class fracas_solid_info(Structure):
    """nodes: Vertices with a tetrahedron, tetrahedra, and edges of tetrahedra.
    tets: Vertices with a tetrahedron, tetrahedra, and edges of tetrahedra.
    edges: Vertices with a tetrahedron, tetrahedra, and edges of tetrahedra.
    centre: Centre of mass for a uniform density, and the distance of the farthest node from it.
    radius: Centre of mass for a uniform density, and the distance of the farthest node from it.
    depth: Largest interior distance of a node.
    ms_create: Wall-clock milliseconds of fracas_solid_create.
    reserved: Zero; reserved for later versions."""


class fracas_fragments(Structure):
    """All fragments of a simulation."""


class fracas_fragments_options(Structure):
    """Start from fracas_fragments_default_options(); a NULL pointer means exactly that."""


class fracas_fragment(Structure):
    """Handle of a fragment; an all-zero handle is invalid."""


class fracas_cut_edge(Structure):
    """Where an edge of the tetrahedra is cut: at node[0] + at * (node[1] - node[0]).
    at: From FRACAS_CUT_MARGIN to 1 - FRACAS_CUT_MARGIN."""


class fracas_fracture(Structure):
    """How a fragment breaks.
    part_count: Number of parts, at least 2. Every part has at least one node.
    node_parts: For each point of the solid: its part, below part_count. Entries of points that
        are not nodes of the fragment are ignored.
    cuts: Where edges between nodes of different parts are cut; others of these are cut in the
        middle."""


class fracas_fragment_info(Structure):
    """nodes: Nodes of the fragment, and tetrahedra of which it has at least a part.
    tets: Nodes of the fragment, and tetrahedra of which it has at least a part.
    cut_tets: Nodes of the fragment, and tetrahedra of which it has at least a part.
    centre: Centre of mass for a uniform density.
    inertia: Moments of inertia about the centre of mass for density 1: xx, yy, zz, xy, yz, zx,
        where xy is the integral of -x y.
    reserved: Zero; reserved for later versions."""


class fracas_depth(Structure):
    """A point inside a fragment.
    inside: The point is inside or on the surface. If not, everything else is zero.
    depth: Distance to the surface of the fragment.
    direction: Unit vector to the nearest point of the surface."""


class fracas_fragment_surface(Structure):
    """The closed surface of a fragment, for drawing or for a fracas_scene. Independent of later
    fractures."""


class fracas_fracture_pattern(Structure):
    """A fracture that the library made. Its parts are connected."""


class fracas_fragment_query(Structure):
    """Start from fracas_fragments_default_query(); a NULL pointer means exactly that.
    contact_count: For each pair and direction, at least 1. Default: 8.
    skin: As a part of the smaller radius of the two fragments; at least 0. Default: 0.002.
    distance: Report also points outside at less than this distance, in the unit of the
        coordinates; at least 0. Default: 0."""


class fracas_fragment_contact(Structure):
    """A point of `a` inside `b` or near it.
    point: The point: of the solid, or of a crack. It keeps its number as long as `a` lives.
    depth: Positive inside; never below the distance from the surface of b (by default:
        fracas_field_update). Outside minus the distance.
    position: In the world. The normal is the unit vector along which `a` leaves `b`.
    normal: In the world. The normal is the unit vector along which `a` leaves `b`.
    reserved: Zero; reserved for later versions."""


class fracas_fragment_statistics(Structure):
    """Work of one query.
    pairs: Pairs of fragments with overlapping boxes.
    visited: Nodes of sphere trees that were visited; culled by their spheres.
    culled: Nodes of sphere trees that were visited; culled by their spheres.
    located: Points that were located in a fragment; found inside or near.
    colliding: Points that were located in a fragment; found inside or near.
    reserved: Zero; reserved for later versions."""


class fracas_fragment_sink(Structure):
    """report: NULL: count only.
    statistics: NULL: not wanted."""


class fracas_intersections(Structure):
    """The intersections of a list of contacts."""


class fracas_intersections_view(Structure):
    """Pointers are valid until the object is destroyed.
    data: By contact; empty for contacts of other kinds than TT and ET.
    places: By contact: the number of its place, from 0 on in the order of the contacts;
        FRACAS_NONE for other kinds. Contacts are in one place when their intersections have
        corners in common.
    curve_count: Segments with common ends form curves, which end where three or more meet.
        Curve c has the points from curve_offsets[c] to curve_offsets[c + 1]; of a closed one
        the last is the first.
    curve_places: By curve."""


class fracas_inside(Structure):
    """A body inside another: parts (connected components) of `inner` are inside the closed parts of
    `outer`, without a contact between the part and `outer`.
    vertex: of inner, inside outer: the smallest number
    parts: how many parts of inner are inside"""


class fracas_mesh_file_options(Structure):
    """Start from fracas_mesh_file_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_mesh_file_default_options; detects uninitialised options.
    surface: The faces of a file with tetrahedra are its surface (as fracas_tet_find_boundary),
        followed by the faces of the file that are not faces of tetrahedra. Default: false."""


class fracas_mesh_file(Structure):
    """A mesh read from a file. Owns its memory; views of it are valid while it lives."""


class fracas_left_out(Structure):
    """Elements of a file that are not part of the mesh, because the reader does not support their
    kind.
    name: Their name in the file: "TetrahedraP3" (Medit), "surf" (OBJ), "tet" (PLY); for Gmsh
        and VTK the name of their type: "line". At most 40 characters, with '?' for characters
        that are not ASCII. Valid while the file lives."""


class fracas_mesh_faces(Structure):
    """Faces as in the file: `face_offsets[f] .. face_offsets[f + 1]` are the corners of face f
    in `face_vertices`. Triangles are in the order of their faces. A face of fewer than three
    corners keeps its number and has no triangle; corners that repeat a vertex are kept.
    face_offsets: face_count + 1 of them.
    triangle_faces: The face of each triangle of the view."""


class fracas_vertex_pair(Structure):
    """Two vertices whose features are not to be tested against each other."""


class fracas_rest_shape(Structure):
    """Positions of a body in which nothing is in contact, one for every vertex number."""


class fracas_pair_filter(Structure):
    """Pairs of features that all queries of a scene leave out. Start from
    fracas_scene_default_filter().
    struct_size: Filled in by fracas_scene_default_filter; detects an uninitialised filter.
    rings: Leave out pairs of one body when a path of at most this many edges joins a corner of
        the one feature to a corner of the other. Default 0: none; at most FRACAS_MAX_RINGS.
    rest_distance: Leave out pairs of features that are within this distance of each other in
        the rest shape. Default 0: none. Pairs with a vertex that has no rest position are kept.
        Triangles with a common vertex are at distance 0.
    vertex_pairs: Leave out pairs of features when each pair of their corners is listed.
    keep: NULL: keep all that the lists keep."""


class fracas_tets(Structure):
    """fracas_tets of C."""


class fracas_tets_options(Structure):
    """Start from fracas_tets_default_options(); a NULL pointer means exactly that.
    depth: Prepare for queries of depth: every update then refits a tree over each body's
        surface.
    cell_size: Edge length of a grid cell. 0: chosen from the edge lengths of the tetrahedra. A
        size below 1/16 of that is raised to it, because a tetrahedron would cover thousands of
        cells."""


class fracas_tets_query(Structure):
    """Start from fracas_tets_default_query(); a NULL pointer means exactly that.
    self: Report pairs within one body; pairs of two bodies. Default: both.
    inter: Report pairs within one body; pairs of two bodies. Default: both.
    depth: Compute depth and direction; requires fracas_tets_options.depth."""


class fracas_penetration(Structure):
    """One vertex inside one tetrahedron. Indices are the caller's. The library allocates these;
    later versions may add fields at the end.
    barycentric: Barycentric coordinates of the vertex, one per corner. They sum to 1 and are at
        least 0, up to rounding; all are zero in a flat tetrahedron.
    depth: With fracas_tets_query.depth: distance from the vertex to the nearest point of the
        surface of tet_body; else 0.
    direction: With fracas_tets_query.depth: unit vector from the vertex to that point; zero at
        depth 0."""


class fracas_tets_statistics(Structure):
    """Work of one query.
    cells: Grid cells visited.
    candidates: Vertices in these cells.
    tested: Candidates in the box of the tetrahedron, except its corners.
    exact: Tested pairs that needed exact arithmetic.
    ms_detect: Wall-clock milliseconds.
    reserved: Zero; reserved for later versions."""


class fracas_tets_update_statistics(Structure):
    """Work of one update.
    vertices: Vertices that tetrahedra use, and tetrahedra.
    tets: Vertices that tetrahedra use, and tetrahedra.
    cell_size: Edge length of a grid cell, given or chosen.
    ms_update: Wall-clock milliseconds.
    reserved: Zero; reserved for later versions."""


class fracas_tets_sink(Structure):
    """report: NULL: count only.
    statistics: NULL or overwritten on success."""


class fracas_tets_body_info(Structure):
    """user: Of fracas_tets_set_user; NULL at first. Parts of a split get that of the body.
    vertex_numbers: One more than the largest number ever assigned.
    tet_numbers: One more than the largest number ever assigned.
    vertices: Current counts; vertices that no tetrahedron uses do not count.
    tets: Current counts; vertices that no tetrahedron uses do not count.
    reserved: Zero; reserved for later versions."""


class fracas_new_tet_vertex(Structure):
    """A vertex that a split adds. With parents its position is (1 - weight) * a + weight * b, or that
    of a if parent_b is FRACAS_NONE.
    parent_a: Both FRACAS_NONE: `at` is its position.
    parent_b: Both FRACAS_NONE: `at` is its position.
    weight: 0 to 1."""


class fracas_tet_repoint(Structure):
    """Replaces the vertex at corner 0 to 3 of a tetrahedron that the body has before the split."""


class fracas_tet_split(Structure):
    """The changes of a split. Elements that are not listed stay in the body, which keeps its handle.
    New vertices and new tetrahedra get the numbers after the last ones, in order; the lists below
    may use these numbers. Vertices that no tetrahedron uses afterwards are removed; corners may
    name vertices that tetrahedra used before, and new ones. Without parts the split is a cut in
    place. Start from fracas_tets_default_split().
    new_tets: Four vertices each.
    part_count: Parts that leave the body.
    part_offsets: part_count + 1 of them: the tetrahedra of part p are
        part_tets[part_offsets[p]] to part_tets[part_offsets[p + 1] - 1], at least one; new ones
        may be among them."""


class fracas_tet_weld(Structure):
    """The first vertex replaces the second. `body_a` and `body_b` are indices in `bodies`."""


class fracas_tet_merge(Structure):
    """Start from fracas_tets_default_merge(); a NULL pointer means exactly that.
    vertex_map: NULL, or receives the new number of every vertex number of all bodies in order;
        FRACAS_NONE for vertices that no tetrahedron uses.
    tet_map: The same for tetrahedra."""


class fracas_penetrations(Structure):
    """A growing list of penetrations that the caller keeps and reuses. It never drops one."""


class fracas_contact_record(Structure):
    """The indices of fracas_contact, whose kind and bodies are those of the run: 16 bytes."""


class fracas_contact_run(Structure):
    """Successive records of one kind and one pair of bodies."""


class fracas_contact_block(Structure):
    """Some contacts, in the order of fracas_scene_detect within the block. Valid during the call.
    runs: Together all records, in order.
    toi: One for each record; NULL unless selected.
    parameters: u and v of each record.
    normals: x, y and z of each record."""


class fracas_stream(Structure):
    """Receiver of contacts in blocks. Start from fracas_scene_default_stream().
    struct_size: Filled in by fracas_scene_default_stream; detects an uninitialised stream.
    block_contacts: The largest number of contacts in a block, default 65536. The call needs
        about 500 bytes of memory for each, and 2 MB for each worker. Small blocks take longer:
        below 1000 much longer.
    values: Bits of fracas_record_values; default 0.
    report: NULL: count only.
    statistics: NULL or overwritten on success."""


class fracas_contact_place(Structure):
    """The vertices of a contact, and where it is.
    a: Vertex numbers in body_a and in body_b: the corners of a triangle in their order, the
        ends of an edge, a vertex. Unused: FRACAS_NONE.
    b: Vertex numbers in body_a and in body_b: the corners of a triangle in their order, the
        ends of an edge, a vertex. Unused: FRACAS_NONE.
    point_a: The points of body_a and of body_b that touch or are closest, from u and v of the
        contact. TT, ET: zero; fracas_scene_find_intersection has them.
    point_b: The points of body_a and of body_b that touch or are closest, from u and v of the
        contact. TT, ET: zero; fracas_scene_find_intersection has them."""


class fracas_tet_mesh(Structure):
    """fracas_tet_mesh of C."""


class fracas_tet_mesh_options(Structure):
    """Start from fracas_tet_mesh_default_options(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_tet_mesh_default_options; detects uninitialised options.
    cells: Cells along the longest side of the surface's box. Default: 32. Ignored when
        `cell_size` is positive.
    cell_size: Edge length of a cell, in the unit of the surface. 0, the default: determined by
        `cells`.
    sharp_angle: An edge of the surface is sharp when its triangles turn by more than this
        angle, in degrees. Nodes near to sharp edges are moved onto them where angles stay
        between 15 and 160 degrees. Default: 40. 180: no edge is sharp."""


class fracas_tet_mesh_fit(Structure):
    """Distances from sample points of one surface to the nearest points of another."""


class fracas_tet_mesh_info(Structure):
    """Size, quality and fit. Angles are in degrees and rounded by libm; lengths are in the unit of the
    surface.
    cells: Cells of the lattice along x, y and z, and their edge length.
    lattice_points: Points of the lattice. Irregular are those around which the surface winds
        neither zero times nor once: it intersects itself there (a positive number counts as
        inside), or a part of it is inside out (a negative number counts as outside).
    irregular_points: Points of the lattice. Irregular are those around which the surface winds
        neither zero times nor once: it intersects itself there (a positive number counts as
        inside), or a part of it is inside out (a negative number counts as outside).
    dihedral_min: Angles between two faces of a tetrahedron, six of each.
    dihedral_max: Angles between two faces of a tetrahedron, six of each.
    dihedral_mean: Angles between two faces of a tetrahedron, six of each.
    quality_min: Three times the inscribed radius by the circumscribed radius: 1 is a regular
        tetrahedron.
    quality_mean: Three times the inscribed radius by the circumscribed radius: 1 is a regular
        tetrahedron.
    volume: Of the tetrahedra, and inside the given surface.
    surface_volume: Of the tetrahedra, and inside the given surface.
    diagonal: Diagonal of the box of the given surface: divide distances by it to compare
        surfaces.
    to_surface: From vertices and triangle centres of the boundary of the tetrahedra to the
        given surface.
    from_surface: From vertices and triangle centres of the given surface to the boundary of the
        tetrahedra.
    ms: Wall-clock milliseconds: all, and of it measuring quality and fit.
    ms_measure: Wall-clock milliseconds: all, and of it measuring quality and fit.
    reserved: Zero; reserved for later versions."""


class fracas_triangle_mark(Structure):
    """depth: How many nodes are above the leaf that has the triangle, in its tree. Features that
        edits add have trees of their own.
    region: The largest part of the body around the triangle that is certified: self-collision
        within the part is not tested, because the last update proved that there is none. Parts
        have different numbers; 0: none. Numbers stay while the tree is not rebuilt."""


class fracas_published_tets_options(Structure):
    """Start from fracas_published_tets_default_options(); a NULL pointer means exactly that.
    method: Default: FRACAS_PUBLISHED_TETS_METHOD_TESCHNER.
    hash: Of the Teschner methods, ignored by others.
    table_size: Buckets of the Teschner methods, ignored by others. 0: chosen from the number of
        vertices."""


class fracas_published_scene_options(Structure):
    """Start from fracas_published_scene_default_options(), which are the defaults of Fracas; a NULL
    pointer means exactly that.
    struct_size: Filled in by fracas_published_scene_default_options; detects uninitialised
        options.
    scene: `quality` is ignored: builder and rebuild replace it.
    builder: First tree of a body; default SAH.
    rebuild: All later trees; default grid.
    inherit: The tree of a part that breaks off keeps the leaf order of the old tree; otherwise
        it is built by `rebuild`. Default true.
    grid_levels: Of the grid builder: 2^grid_levels cells along an axis.
    grid_stop: Of the grid builder: smaller ranges are split at the median. At least 1.
    grid_in_turn: Of the grid builder: cells are halved along x, y and z in turn, as in the
        paper; otherwise along their longest axis. Default false.
    restructure_share: Limit of the cost of rebuilding subtrees, as a fraction of the cost of
        the queries since the last update; default 0.25.
    cell_size: Of FRACAS_PUBLISHED_BROAD_HASH. 0: chosen from the boxes."""


class fracas_published_query(Structure):
    """Start from fracas_published_scene_default_query(); a NULL pointer means exactly that.
    struct_size: Filled in by fracas_published_scene_default_query; detects an uninitialised
        query.
    filter: Continuous queries without min_separation.
    no_cull: Ignore the results of culling."""


class fracas_published_statistics(Structure):
    """Work of a PCCD scheduler in one query; zero with every other.
    ms_low: Wall-clock milliseconds of the tasks of low-level nodes.
    ms_high: Wall-clock milliseconds of the tasks of high-level nodes, which run after them.
    requests: Requests of idle workers for a node of another worker.
    refusals: Requests without success.
    locks: Nodes that a query locked to check them for a rebuild.
    rebuilt: Subtrees that fracas_published_scene_detect_lazy rebuilt: of the trees of bodies,
        and of the tree over bodies.
    rebuilt_top: Subtrees that fracas_published_scene_detect_lazy rebuilt: of the trees of
        bodies, and of the tree over bodies.
    low_nodes: Nodes assigned to workers at the start, and the tasks of these and of all nodes
        below them.
    low_tasks: Nodes assigned to workers at the start, and the tasks of these and of all nodes
        below them.
    high_nodes: Nodes above, the pairs of nodes into which their tasks are divided, and the
        rounds of pairs, which run one after the other.
    high_pairs: Nodes above, the pairs of nodes into which their tasks are divided, and the
        rounds of pairs, which run one after the other.
    high_rounds: Nodes above, the pairs of nodes into which their tasks are divided, and the
        rounds of pairs, which run one after the other.
    reserved: Zero; reserved for later versions."""


fracas_task_fn = CFUNCTYPE(None, c_void_p)
fracas_log_fn = CFUNCTYPE(None, c_uint, c_char_p, c_void_p)
# Called on the calling thread during a long call. `fraction` is the completed part, from 0 to 1,
# and never decreases within one call. Return false to cancel the call.
fracas_progress_fn = CFUNCTYPE(c_bool, c_double, c_void_p)
# Called on the calling thread, in the order of the contacts. Return false to stop.
fracas_contact_fn = CFUNCTYPE(c_bool, POINTER(fracas_contact), c_void_p)
# Called on the calling thread, in the order of (a, b) by index, the smaller index first; then of
# primitive_a and primitive_b. Return false to stop.
fracas_medial_contact_fn = CFUNCTYPE(c_bool, POINTER(fracas_medial_contact), c_void_p)
# Called on the calling thread, in the order of (a, b) by index of the smaller, then of the
# larger; first points of the smaller. Return false to stop.
fracas_fragment_contact_fn = CFUNCTYPE(c_bool, POINTER(fracas_fragment_contact), c_void_p)
# @return false to stop
fracas_inside_fn = CFUNCTYPE(c_bool, POINTER(fracas_inside), c_void_p)
# True: keep the pair. Called from several threads at once; the answer must depend on the pair
# only. Only kind, bodies and indices of the contact can be relied on.
fracas_pair_filter_fn = CFUNCTYPE(c_bool, POINTER(fracas_contact), c_void_p)
# Called on the calling thread, sorted by vertex body, vertex, tetrahedron body, tetrahedron.
# Return false to stop.
fracas_penetration_fn = CFUNCTYPE(c_bool, POINTER(fracas_penetration), c_void_p)
# Called on the calling thread. Return false to stop.
fracas_block_fn = CFUNCTYPE(c_bool, POINTER(fracas_contact_block), c_void_p)
fracas_points._fields_ = [
    ("data", c_void_p),
    ("count", c_uint32),
    ("stride", c_uint32),
    ("scalar", c_uint),
]
fracas_pose._fields_ = [
    ("rotation", c_double * 9),
    ("translation", c_double * 3),
]
_fracas_move_2._fields_ = [
    ("points_t1", fracas_points),
    ("poses", fracas_pose * 2),
]
fracas_allocator._fields_ = [
    ("allocate", CFUNCTYPE(c_void_p, c_size_t, c_size_t, c_void_p)),
    ("release", CFUNCTYPE(None, c_void_p, c_size_t, c_void_p)),
    ("user", c_void_p),
]
fracas_task_hooks._fields_ = [
    ("enqueue", CFUNCTYPE(c_void_p, fracas_task_fn, c_void_p, c_void_p)),
    ("finish", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("user", c_void_p),
]
fracas_context_options._fields_ = [
    ("struct_size", c_uint32),
    ("worker_count", c_uint32),
    ("allocator", fracas_allocator),
    ("tasks", fracas_task_hooks),
    ("log", fracas_log_fn),
    ("log_user", c_void_p),
    ("progress", fracas_progress_fn),
    ("progress_user", c_void_p),
    ("spin_ms", c_double),
]
fracas_body._fields_ = [
    ("index", c_uint32),
    ("generation", c_uint32),
]
fracas_contact._fields_ = [
    ("kind", c_uint),
    ("body_a", fracas_body),
    ("body_b", fracas_body),
    ("a", c_uint32 * 2),
    ("b", c_uint32 * 2),
    ("toi", c_double),
    ("u", c_double),
    ("v", c_double),
    ("normal", c_double * 3),
    ("distance", c_double),
    ("closest", c_uint),
    ("reserved", c_uint32 * 3),
]
fracas_query._fields_ = [
    ("struct_size", c_uint32),
    ("modes", c_uint32),
    ("first", c_bool),
    ("siblings", c_uint),
    ("tolerance", c_double),
    ("min_separation", c_double),
    ("t_max", c_double),
    ("max_contacts", c_uint64),
]
fracas_statistics._fields_ = [
    ("contacts", c_uint64 * 6),
    ("siblings_left_out", c_uint64),
    ("box_pairs", c_uint64),
    ("tt_candidates", c_uint64),
    ("vf_candidates", c_uint64),
    ("ee_candidates", c_uint64),
    ("filtered", c_uint64),
    ("exact", c_uint64),
    ("earliest_toi", c_double),
    ("ms_traverse", c_double),
    ("ms_narrow", c_double),
    ("ms_total", c_double),
    ("ms_sort", c_double),
    ("ms_idle", c_double),
    ("left_out", c_uint64),
    ("limit_reached", c_uint64),
    ("reserved", c_uint64 * 6),
]
fracas_sink._fields_ = [
    ("report", fracas_contact_fn),
    ("user", c_void_p),
    ("statistics", POINTER(fracas_statistics)),
]
fracas_mesh_view._fields_ = [
    ("points", fracas_points),
    ("triangles", c_void_p),
    ("triangle_count", c_uint32),
    ("edge_count", c_uint32),
    ("edges", c_void_p),
    ("vertices", c_void_p),
    ("vertex_count", c_uint32),
]
fracas_tet_view._fields_ = [
    ("points", fracas_points),
    ("tets", c_void_p),
    ("tet_count", c_uint32),
]
fracas_mesh_info._fields_ = [
    ("vertices", c_uint32),
    ("triangles", c_uint32),
    ("edges", c_uint32),
    ("free_edges", c_uint32),
    ("free_vertices", c_uint32),
    ("unused_vertices", c_uint32),
    ("components", c_uint32),
    ("boundary_edges", c_uint32),
    ("nonmanifold_edges", c_uint32),
    ("misoriented_edges", c_uint32),
    ("repeated_index_triangles", c_uint32),
    ("flat_triangles", c_uint32),
    ("duplicate_triangles", c_uint32),
    ("closed", c_bool),
    ("manifold", c_bool),
    ("box_min", c_double * 3),
    ("box_max", c_double * 3),
    ("reserved", c_uint64 * 4),
]
fracas_tet_info._fields_ = [
    ("vertices", c_uint32),
    ("tets", c_uint32),
    ("unused_vertices", c_uint32),
    ("components", c_uint32),
    ("faces", c_uint64),
    ("boundary_triangles", c_uint64),
    ("nonmanifold_triangles", c_uint64),
    ("inverted", c_uint32),
    ("flat", c_uint32),
    ("repeated_index_tets", c_uint32),
    ("duplicate_tets", c_uint32),
    ("box_min", c_double * 3),
    ("box_max", c_double * 3),
    ("reserved", c_uint64 * 4),
]
fracas_scene_options._fields_ = [
    ("struct_size", c_uint32),
    ("modes", c_uint32),
    ("quality", c_uint),
]
fracas_body_options._fields_ = [
    ("struct_size", c_uint32),
    ("motion", c_uint),
    ("group", c_uint32),
    ("mask", c_uint32),
    ("self_collision", c_bool),
    ("pose", fracas_pose),
    ("thickness", c_double),
    ("user", c_void_p),
]
fracas_move._anonymous_ = ('_2',)
fracas_move._fields_ = [
    ("body", fracas_body),
    ("kind", c_uint),
    ("_2", _fracas_move_2),
]
fracas_update_statistics._fields_ = [
    ("cull_tried", c_uint64),
    ("cull_certified", c_uint64),
    ("ms_refit", c_double),
    ("ms_restructure", c_double),
    ("ms_cull", c_double),
    ("reserved", c_uint64 * 8),
]
fracas_body_info._fields_ = [
    ("user", c_void_p),
    ("thickness", c_double),
    ("motion", c_uint),
    ("vertex_numbers", c_uint32),
    ("triangle_numbers", c_uint32),
    ("vertices", c_uint32),
    ("triangles", c_uint32),
    ("free_edges", c_uint32),
    ("free_vertices", c_uint32),
    ("reserved", c_uint32 * 9),
]
fracas_new_vertex._fields_ = [
    ("parent_a", c_uint32),
    ("parent_b", c_uint32),
    ("weight", c_double),
    ("t0", c_double * 3),
    ("t1", c_double * 3),
]
fracas_repoint._fields_ = [
    ("triangle", c_uint32),
    ("corner", c_uint32),
    ("vertex", c_uint32),
]
fracas_split._fields_ = [
    ("struct_size", c_uint32),
    ("new_vertex_count", c_uint32),
    ("new_vertices", POINTER(fracas_new_vertex)),
    ("repoints", POINTER(fracas_repoint)),
    ("repoint_count", c_uint32),
    ("new_triangle_count", c_uint32),
    ("new_triangles", c_void_p),
    ("removed_triangles", c_void_p),
    ("removed_triangle_count", c_uint32),
    ("part_count", c_uint32),
    ("part_offsets", c_void_p),
    ("part_triangles", c_void_p),
]
fracas_weld_pair._fields_ = [
    ("body_a", c_uint32),
    ("vertex_a", c_uint32),
    ("body_b", c_uint32),
    ("vertex_b", c_uint32),
]
fracas_merge._fields_ = [
    ("struct_size", c_uint32),
    ("weld_count", c_uint32),
    ("welds", POINTER(fracas_weld_pair)),
    ("vertex_map", c_void_p),
    ("triangle_map", c_void_p),
]
fracas_element._fields_ = [
    ("body", fracas_body),
    ("kind", c_uint),
    ("index", c_uint32),
]
fracas_vertex_values._fields_ = [
    ("body", fracas_body),
    ("count", c_uint32),
    ("values", c_void_p),
]
fracas_contact_rows._fields_ = [
    ("body", fracas_body),
    ("feature", c_uint),
    ("row_count", c_uint32),
    ("edges", c_void_p),
    ("offsets", c_void_p),
    ("entries", c_void_p),
    ("entry_capacity", c_size_t),
]
fracas_medial_sphere._fields_ = [
    ("center", c_double * 3),
    ("radius", c_double),
]
fracas_medial_view._fields_ = [
    ("spheres", POINTER(fracas_medial_sphere)),
    ("edges", c_void_p),
    ("triangles", c_void_p),
    ("sphere_count", c_uint32),
    ("edge_count", c_uint32),
    ("triangle_count", c_uint32),
]
fracas_medial_mesh_options._fields_ = [
    ("struct_size", c_uint32),
    ("spheres", c_uint32),
    ("error", c_double),
    ("samples", c_uint32),
    ("fit_rounds", c_uint32),
    ("spheres_only", c_bool),
]
fracas_medial_fit._fields_ = [
    ("samples", c_uint64),
    ("max", c_double),
    ("mean", c_double),
]
fracas_medial_mesh_info._fields_ = [
    ("spheres", c_uint32),
    ("edges", c_uint32),
    ("triangles", c_uint32),
    ("medial_vertices", c_uint32),
    ("samples", c_uint32),
    ("diagonal", c_double),
    ("from_surface", fracas_medial_fit),
    ("to_surface", fracas_medial_fit),
    ("protrusion", c_double),
    ("surface_covered", c_double),
    ("surface_volume", c_double),
    ("volume", c_double),
    ("volume_covered", c_double),
    ("volume_points", c_uint64),
    ("ms", c_double),
    ("ms_measure", c_double),
    ("inflation", c_double),
    ("reserved", c_uint64 * 7),
]
fracas_medial_shape_options._fields_ = [
    ("struct_size", c_uint32),
    ("degenerate", c_uint),
    ("inflation", c_double),
    ("centre", c_double * 3),
]
fracas_medial_shape_info._fields_ = [
    ("spheres", c_uint32),
    ("cones", c_uint32),
    ("slabs", c_uint32),
    ("degenerate", c_uint32),
    ("dropped", c_uint32),
    ("centre", c_double * 3),
    ("radius", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_medial_body._fields_ = [
    ("index", c_uint32),
    ("generation", c_uint32),
]
fracas_medial_query._fields_ = [
    ("struct_size", c_uint32),
    ("selection", c_uint),
    ("broad_phase", c_uint),
    ("tolerance", c_double),
]
fracas_medial_contact._fields_ = [
    ("a", fracas_medial_body),
    ("b", fracas_medial_body),
    ("primitive_a", c_uint32),
    ("primitive_b", c_uint32),
    ("time", c_double),
    ("gap", c_double),
    ("position", c_double * 3),
    ("normal", c_double * 3),
    ("reserved", c_uint64 * 2),
]
fracas_medial_statistics._fields_ = [
    ("contacts", c_uint64),
    ("pairs", c_uint64),
    ("primitive_pairs", c_uint64),
    ("node_tests", c_uint64),
    ("primitive_tests", c_uint64),
    ("ms_broad", c_double),
    ("ms_total", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_medial_sink._fields_ = [
    ("report", fracas_medial_contact_fn),
    ("user", c_void_p),
    ("statistics", POINTER(fracas_medial_statistics)),
]
fracas_cuda_options._fields_ = [
    ("struct_size", c_uint32),
    ("device", c_uint32),
]
fracas_cuda_points._fields_ = [
    ("data", c_void_p),
    ("count", c_uint32),
    ("scalar", c_uint),
    ("place", c_uint),
    ("reserved", c_uint32),
    ("stride", c_uint64),
    ("axis_stride", c_uint64),
]
fracas_cuda_move._fields_ = [
    ("body", fracas_body),
    ("points_t1", fracas_cuda_points),
]
fracas_cuda_contact._fields_ = [
    ("a", c_uint32 * 2),
    ("b", c_uint32 * 2),
    ("toi", c_double),
    ("u", c_double),
    ("v", c_double),
    ("normal", c_double * 3),
]
fracas_cuda_bodies._fields_ = [
    ("a", c_uint32),
    ("b", c_uint32),
]
fracas_cuda_range._fields_ = [
    ("contacts", POINTER(fracas_cuda_contact)),
    ("bodies", POINTER(fracas_cuda_bodies)),
    ("count", c_uint64),
]
fracas_cuda_contacts._fields_ = [
    ("kinds", fracas_cuda_range * 6),
    ("count", c_uint64),
]
fracas_cuda_statistics._fields_ = [
    ("candidates", c_uint64),
    ("filtered", c_uint64),
    ("undecided_quick", c_uint64),
    ("undecided_roots", c_uint64),
    ("decided_on_host", c_uint64),
    ("hits", c_uint64),
    ("repeats", c_uint64),
    ("unordered", c_uint64),
    ("device_bytes", c_uint64),
    ("ms_upload", c_double),
    ("ms_device", c_double),
    ("ms_download", c_double),
    ("ms_host", c_double),
    ("uploaded_bytes", c_uint64),
    ("changed_clusters", c_uint64),
    ("reserved", c_uint64 * 5),
]
fracas_closest_point._fields_ = [
    ("distance", c_double),
    ("point", c_double * 3),
    ("u", c_double),
    ("v", c_double),
    ("triangle", c_uint32),
    ("side", c_uint),
]
fracas_body_pair._fields_ = [
    ("a", fracas_body),
    ("b", fracas_body),
]
fracas_body_distance._fields_ = [
    ("distance", c_double),
    ("point_a", c_double * 3),
    ("point_b", c_double * 3),
    ("u_a", c_double),
    ("v_a", c_double),
    ("u_b", c_double),
    ("v_b", c_double),
    ("triangle_a", c_uint32),
    ("triangle_b", c_uint32),
]
fracas_body_depth._fields_ = [
    ("depth", c_double),
    ("gap", c_double),
    ("direction", c_double * 3),
    ("translation", c_double * 3),
]
fracas_intersection._fields_ = [
    ("meeting", c_uint),
    ("count", c_uint32),
    ("points", c_double * 3 * 6),
]
fracas_impact._fields_ = [
    ("toi", c_double),
    ("u", c_double),
    ("v", c_double),
    ("normal", c_double * 3),
]
fracas_distance._fields_ = [
    ("distance", c_double),
    ("weights", c_double * 4),
    ("points", c_double * 3 * 2),
    ("normal", c_double * 3),
    ("type", c_uint),
]
fracas_pair_batch._fields_ = [
    ("struct_size", c_uint32),
    ("kind", c_uint),
    ("points_t0", fracas_points),
    ("points_t1", fracas_points),
    ("indices", c_void_p),
    ("count", c_size_t),
    ("min_separation", c_double),
    ("tolerance", c_double),
    ("max_distance", c_double),
]
fracas_pairs_result._fields_ = [
    ("hits", c_size_t),
    ("earliest_toi", c_double),
    ("bad_pair", c_size_t),
]
fracas_solid_options._fields_ = [
    ("struct_size", c_uint32),
    ("grid_cells", c_uint32),
]
fracas_solid_info._fields_ = [
    ("nodes", c_uint32),
    ("tets", c_uint32),
    ("edges", c_uint32),
    ("surface_triangles", c_uint32),
    ("volume", c_double),
    ("centre", c_double * 3),
    ("radius", c_double),
    ("box_min", c_double * 3),
    ("box_max", c_double * 3),
    ("depth", c_double),
    ("ms_create", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_fragments_options._fields_ = [
    ("struct_size", c_uint32),
    ("field_update", c_uint),
    ("tree_update", c_uint),
]
fracas_fragment._fields_ = [
    ("index", c_uint32),
    ("generation", c_uint32),
]
fracas_cut_edge._fields_ = [
    ("node", c_uint32 * 2),
    ("at", c_double),
]
fracas_fracture._fields_ = [
    ("part_count", c_uint32),
    ("cut_count", c_uint32),
    ("node_parts", c_void_p),
    ("cuts", POINTER(fracas_cut_edge)),
]
fracas_fragment_info._fields_ = [
    ("nodes", c_uint32),
    ("tets", c_uint32),
    ("cut_tets", c_uint32),
    ("volume", c_double),
    ("centre", c_double * 3),
    ("inertia", c_double * 6),
    ("box_min", c_double * 3),
    ("box_max", c_double * 3),
    ("reserved", c_uint64 * 4),
]
fracas_depth._fields_ = [
    ("inside", c_bool),
    ("depth", c_double),
    ("direction", c_double * 3),
]
fracas_fragment_query._fields_ = [
    ("struct_size", c_uint32),
    ("selection", c_uint),
    ("order", c_uint),
    ("contact_count", c_uint32),
    ("skin", c_double),
    ("distance", c_double),
]
fracas_fragment_contact._fields_ = [
    ("a", fracas_fragment),
    ("b", fracas_fragment),
    ("point", c_uint32),
    ("depth", c_double),
    ("position", c_double * 3),
    ("normal", c_double * 3),
    ("reserved", c_uint64 * 2),
]
fracas_fragment_statistics._fields_ = [
    ("contacts", c_uint64),
    ("pairs", c_uint64),
    ("visited", c_uint64),
    ("culled", c_uint64),
    ("located", c_uint64),
    ("colliding", c_uint64),
    ("ms_broad", c_double),
    ("ms_total", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_fragment_sink._fields_ = [
    ("report", fracas_fragment_contact_fn),
    ("user", c_void_p),
    ("statistics", POINTER(fracas_fragment_statistics)),
]
fracas_intersections_view._fields_ = [
    ("data", POINTER(fracas_intersection)),
    ("places", c_void_p),
    ("count", c_size_t),
    ("place_count", c_uint32),
    ("curve_count", c_uint32),
    ("curve_offsets", c_void_p),
    ("curve_points", c_void_p),
    ("curve_places", c_void_p),
]
fracas_inside._fields_ = [
    ("inner", fracas_body),
    ("outer", fracas_body),
    ("vertex", c_uint32),
    ("parts", c_uint32),
]
fracas_mesh_file_options._fields_ = [
    ("struct_size", c_uint32),
    ("weld", c_uint),
    ("surface", c_bool),
]
fracas_left_out._fields_ = [
    ("name", c_char_p),
    ("count", c_uint64),
]
fracas_mesh_faces._fields_ = [
    ("face_count", c_uint32),
    ("face_offsets", c_void_p),
    ("face_vertices", c_void_p),
    ("triangle_faces", c_void_p),
]
fracas_vertex_pair._fields_ = [
    ("body_a", fracas_body),
    ("body_b", fracas_body),
    ("vertex_a", c_uint32),
    ("vertex_b", c_uint32),
]
fracas_rest_shape._fields_ = [
    ("body", fracas_body),
    ("points", fracas_points),
]
fracas_pair_filter._fields_ = [
    ("struct_size", c_uint32),
    ("rings", c_uint32),
    ("rest_distance", c_double),
    ("rest_shapes", POINTER(fracas_rest_shape)),
    ("vertex_pairs", POINTER(fracas_vertex_pair)),
    ("vertex_pair_count", c_size_t),
    ("rest_shape_count", c_uint32),
    ("keep", fracas_pair_filter_fn),
    ("user", c_void_p),
]
fracas_tets_options._fields_ = [
    ("struct_size", c_uint32),
    ("depth", c_bool),
    ("cell_size", c_double),
]
fracas_tets_query._fields_ = [
    ("struct_size", c_uint32),
    ("self", c_bool),
    ("inter", c_bool),
    ("depth", c_bool),
]
fracas_penetration._fields_ = [
    ("vertex_body", fracas_body),
    ("tet_body", fracas_body),
    ("vertex", c_uint32),
    ("tet", c_uint32),
    ("barycentric", c_double * 4),
    ("depth", c_double),
    ("direction", c_double * 3),
]
fracas_tets_statistics._fields_ = [
    ("penetrations", c_uint64),
    ("cells", c_uint64),
    ("candidates", c_uint64),
    ("tested", c_uint64),
    ("exact", c_uint64),
    ("ms_detect", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_tets_update_statistics._fields_ = [
    ("vertices", c_uint64),
    ("tets", c_uint64),
    ("cell_size", c_double),
    ("ms_update", c_double),
    ("reserved", c_uint64 * 4),
]
fracas_tets_sink._fields_ = [
    ("report", fracas_penetration_fn),
    ("user", c_void_p),
    ("statistics", POINTER(fracas_tets_statistics)),
]
fracas_tets_body_info._fields_ = [
    ("user", c_void_p),
    ("vertex_numbers", c_uint32),
    ("tet_numbers", c_uint32),
    ("vertices", c_uint32),
    ("tets", c_uint32),
    ("reserved", c_uint32 * 8),
]
fracas_new_tet_vertex._fields_ = [
    ("parent_a", c_uint32),
    ("parent_b", c_uint32),
    ("weight", c_double),
    ("at", c_double * 3),
]
fracas_tet_repoint._fields_ = [
    ("tet", c_uint32),
    ("corner", c_uint32),
    ("vertex", c_uint32),
]
fracas_tet_split._fields_ = [
    ("struct_size", c_uint32),
    ("new_vertex_count", c_uint32),
    ("new_vertices", POINTER(fracas_new_tet_vertex)),
    ("repoints", POINTER(fracas_tet_repoint)),
    ("repoint_count", c_uint32),
    ("new_tet_count", c_uint32),
    ("new_tets", c_void_p),
    ("removed_tets", c_void_p),
    ("removed_tet_count", c_uint32),
    ("part_count", c_uint32),
    ("part_offsets", c_void_p),
    ("part_tets", c_void_p),
]
fracas_tet_weld._fields_ = [
    ("body_a", c_uint32),
    ("vertex_a", c_uint32),
    ("body_b", c_uint32),
    ("vertex_b", c_uint32),
]
fracas_tet_merge._fields_ = [
    ("struct_size", c_uint32),
    ("weld_count", c_uint32),
    ("welds", POINTER(fracas_tet_weld)),
    ("vertex_map", c_void_p),
    ("tet_map", c_void_p),
]
fracas_contact_record._fields_ = [
    ("a", c_uint32 * 2),
    ("b", c_uint32 * 2),
]
fracas_contact_run._fields_ = [
    ("kind", c_uint),
    ("body_a", fracas_body),
    ("body_b", fracas_body),
    ("first", c_uint32),
    ("count", c_uint32),
]
fracas_contact_block._fields_ = [
    ("count", c_uint32),
    ("run_count", c_uint32),
    ("records", POINTER(fracas_contact_record)),
    ("runs", POINTER(fracas_contact_run)),
    ("toi", c_void_p),
    ("parameters", c_void_p),
    ("normals", c_void_p),
    ("distances", c_void_p),
    ("closest", c_void_p),
]
fracas_stream._fields_ = [
    ("struct_size", c_uint32),
    ("block_contacts", c_uint32),
    ("values", c_uint32),
    ("report", fracas_block_fn),
    ("user", c_void_p),
    ("statistics", POINTER(fracas_statistics)),
]
fracas_contact_place._fields_ = [
    ("a", c_uint32 * 3),
    ("b", c_uint32 * 3),
    ("a_count", c_uint32),
    ("b_count", c_uint32),
    ("point_a", c_double * 3),
    ("point_b", c_double * 3),
]
fracas_tet_mesh_options._fields_ = [
    ("struct_size", c_uint32),
    ("cells", c_uint32),
    ("cell_size", c_double),
    ("sharp_angle", c_double),
]
fracas_tet_mesh_fit._fields_ = [
    ("samples", c_uint64),
    ("max", c_double),
    ("mean", c_double),
]
fracas_tet_mesh_info._fields_ = [
    ("nodes", c_uint32),
    ("tets", c_uint32),
    ("boundary_triangles", c_uint32),
    ("cells", c_uint32 * 3),
    ("cell_size", c_double),
    ("lattice_points", c_uint64),
    ("irregular_points", c_uint64),
    ("dihedral_min", c_double),
    ("dihedral_max", c_double),
    ("dihedral_mean", c_double),
    ("quality_min", c_double),
    ("quality_mean", c_double),
    ("volume", c_double),
    ("surface_volume", c_double),
    ("diagonal", c_double),
    ("to_surface", fracas_tet_mesh_fit),
    ("from_surface", fracas_tet_mesh_fit),
    ("ms", c_double),
    ("ms_measure", c_double),
    ("reserved", c_uint64 * 8),
]
fracas_triangle_mark._fields_ = [
    ("depth", c_uint32),
    ("region", c_uint32),
]
fracas_published_tets_options._fields_ = [
    ("struct_size", c_uint32),
    ("method", c_uint),
    ("hash", c_uint),
    ("table_size", c_uint32),
    ("test", c_uint),
]
fracas_published_scene_options._fields_ = [
    ("struct_size", c_uint32),
    ("scene", fracas_scene_options),
    ("builder", c_uint),
    ("rebuild", c_uint),
    ("inherit", c_bool),
    ("grid_levels", c_uint32),
    ("grid_stop", c_uint32),
    ("grid_in_turn", c_bool),
    ("restructure", c_uint),
    ("metric", c_uint),
    ("restructure_share", c_double),
    ("cull", c_uint),
    ("broad", c_uint),
    ("cell_size", c_double),
    ("scheduler", c_uint),
]
fracas_published_query._fields_ = [
    ("struct_size", c_uint32),
    ("query", fracas_query),
    ("filter", c_uint),
    ("no_cull", c_bool),
]
fracas_published_statistics._fields_ = [
    ("ms_low", c_double),
    ("ms_high", c_double),
    ("requests", c_uint64),
    ("refusals", c_uint64),
    ("locks", c_uint64),
    ("rebuilt", c_uint64),
    ("rebuilt_top", c_uint64),
    ("low_nodes", c_uint64),
    ("low_tasks", c_uint64),
    ("high_nodes", c_uint64),
    ("high_pairs", c_uint64),
    ("high_rounds", c_uint64),
    ("reserved", c_uint64 * 4),
]

# By function: result, arguments, comment.
FUNCTIONS: dict[str, Any] = {
    "fracas_status_get_name": (
        c_char_p,
        (
            ("status", c_uint),),
        """For example "bad data"; never NULL."""),
    "fracas_get_version": (
        c_char_p,
        (),
        """For example "0.1.0"."""),
    "fracas_context_default_options": (
        fracas_context_options,
        (),
        ""),
    "fracas_context_create": (
        c_uint,
        (
            ("options", POINTER(fracas_context_options)),
            ("out", POINTER(POINTER(fracas_context))),),
        """The context must outlive every object that is created with it. On any error `*out` is NULL.
        @return FRACAS_ERROR_UNSUPPORTED when the CPU lacks instructions that the library was built for
        (on x86_64 SSE4.2 and POPCNT, or AVX2; a build with -DFRACAS_SIMD=sse2 runs on every CPU)."""),
    "fracas_context_destroy": (
        None,
        (
            ("context", POINTER(fracas_context)),),
        """NULL is allowed."""),
    "fracas_context_get_message": (
        c_size_t,
        (
            ("context", POINTER(fracas_context)),
            ("buffer", c_void_p),
            ("capacity", c_size_t),),
        """Copy the message of the last failed call on this context: the error, its place, and how to
        correct it. Empty before the first failure. At most `capacity` bytes are written, always with a
        terminator; `buffer` may be NULL. Returns the length of the whole message without the
        terminator; 0 for a NULL context. Any thread may call it."""),
    "fracas_context_cancel": (
        None,
        (
            ("context", POINTER(fracas_context)),),
        """Stop all calls on this context, running and later ones, with FRACAS_ERROR_CANCELLED until
        fracas_context_resume. Any thread and any signal handler may call it."""),
    "fracas_context_resume": (
        None,
        (
            ("context", POINTER(fracas_context)),),
        ""),
    "fracas_context_get_worker_count": (
        c_uint32,
        (
            ("context", POINTER(fracas_context)),),
        """0 for a NULL context."""),
    "fracas_scene_default_query": (
        fracas_query,
        (),
        ""),
    "fracas_contacts_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("out", POINTER(POINTER(fracas_contacts))),),
        """On any error `*out` is NULL."""),
    "fracas_contacts_destroy": (
        None,
        (
            ("contacts", POINTER(fracas_contacts)),),
        """NULL is allowed."""),
    "fracas_contacts_get_sink": (
        fracas_sink,
        (
            ("contacts", POINTER(fracas_contacts)),),
        """Clear the list and return a sink that fills it. All zero for a NULL list."""),
    "fracas_contacts_get_data": (
        POINTER(fracas_contact),
        (
            ("contacts", POINTER(fracas_contacts)),
            ("count", c_void_p),),
        """The contacts of the last query, valid until the next one or fracas_contacts_get_sink. `count`
        may be NULL. NULL and 0 for a NULL list."""),
    "fracas_contacts_get_statistics": (
        POINTER(fracas_statistics),
        (
            ("contacts", POINTER(fracas_contacts)),),
        """Statistics of the last query. NULL for a NULL list."""),
    "fracas_mesh_validate": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("mesh", POINTER(fracas_mesh_view)),),
        """Check that every number is finite and every index in range. All points are checked, used or not.
        @return FRACAS_ERROR_BAD_DATA with a message that names the first bad element;
        FRACAS_ERROR_INVALID_ARGUMENT for a NULL pointer with a count, or a stride smaller than a point."""),
    "fracas_mesh_describe": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("mesh", POINTER(fracas_mesh_view)),
            ("out", POINTER(fracas_mesh_info)),),
        """Describe a mesh, in linear time except for sorting the edges around each vertex. On any error
        `*out` is unchanged. @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY."""),
    "fracas_tet_validate": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("view", POINTER(fracas_tet_view)),),
        """As fracas_mesh_validate."""),
    "fracas_tet_describe": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("view", POINTER(fracas_tet_view)),
            ("out", POINTER(fracas_tet_info)),),
        """Describe a volume, in linear time. On any error `*out` is unchanged.
        @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY."""),
    "fracas_tet_find_boundary": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("view", POINTER(fracas_tet_view)),
            ("triangles", c_void_p),
            ("tets", c_void_p),
            ("count", c_void_p),),
        """Find the surface of a volume: the faces of exactly one tetrahedron, as defined above, in the
        order of the tetrahedra, in linear time. A triangle of a tetrahedron of positive volume is
        counter-clockwise seen from outside. `triangles` (three indices each) and `tets` (the
        tetrahedron of each triangle) have a capacity of 4 * tet_count triangles, or are NULL; `*count`
        is the number of triangles. The indices depend only on those of the view, not on its positions.
        On any error nothing is written.
        @return as fracas_mesh_validate, or FRACAS_ERROR_OUT_OF_MEMORY."""),
    "fracas_pose_make_identity": (
        fracas_pose,
        (),
        ""),
    "fracas_scene_default_options": (
        fracas_scene_options,
        (),
        ""),
    "fracas_scene_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_scene_options)),
            ("out", POINTER(POINTER(fracas_scene))),),
        """On any error `*out` is NULL."""),
    "fracas_scene_destroy": (
        None,
        (
            ("scene", POINTER(fracas_scene)),),
        """NULL is allowed."""),
    "fracas_body_default_options": (
        fracas_body_options,
        (),
        ""),
    "fracas_scene_add": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("mesh", POINTER(fracas_mesh_view)),
            ("options", POINTER(fracas_body_options)),
            ("out", POINTER(fracas_body)),),
        """Add a body, at rest at the given positions. The mesh is copied. Vertices and triangles keep
        their numbers for the life of the body, even when others are removed or split off. Progress is
        reported, and cancelling checked, every 65536 triangles. On any error `*out` is zero."""),
    "fracas_scene_set_thickness": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("thickness", c_double),),
        """The body is as thick as this on each side of its surface: in continuous queries, nearby pairs
        and candidates two bodies are in contact when their distance is at most the sum of their
        thicknesses and of the distance of the query. Discrete queries see the surface only. A part that
        breaks off has the thickness of its body. Needs no update."""),
    "fracas_scene_remove": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),),
        ""),
    "fracas_scene_move": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("points_t1", POINTER(fracas_points)),),
        """Set the positions of a deforming body at t = 1; those at t = 0 do not change. `points_t1` has
        one point for every vertex number of the body; points of removed vertices are ignored."""),
    "fracas_scene_pose": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("pose_t0", POINTER(fracas_pose)),
            ("pose_t1", POINTER(fracas_pose)),),
        """Set the poses of a rigid body at t = 0 and t = 1. Between them every point moves in a straight
        line."""),
    "fracas_scene_move_many": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("moves", POINTER(fracas_move)),
            ("count", c_size_t),),
        """Move many bodies in one call, with all workers. On any error no body is moved. Each body may
        occur once; a static body may not occur."""),
    "fracas_scene_advance": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),),
        """Start the next step: every body is at rest at its positions of t = 1."""),
    "fracas_scene_update": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),),
        """Prepare for queries: refit and build trees. Bodies that have not changed cost nothing. Progress
        is reported after each step of the work, if the changed bodies have 65536 triangles or more."""),
    "fracas_scene_get_update_statistics": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("out", POINTER(fracas_update_statistics)),),
        """Statistics of the last update that had work to do; all zero before the first."""),
    "fracas_scene_get_body": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("out", POINTER(fracas_body_info)),),
        ""),
    "fracas_scene_set_user": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("user", c_void_p),),
        """Replace the user pointer of a body. Queries need no update after it."""),
    "fracas_scene_get_triangle": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("triangle", c_uint32),
            ("corners", c_void_p),),
        """Vertices of a triangle. @return FRACAS_ERROR_BAD_DATA when there is no such triangle."""),
    "fracas_scene_get_vertex": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("vertex", c_uint32),
            ("t0", c_void_p),
            ("t1", c_void_p),),
        """Positions of a vertex at both ends of the step; `t0` and `t1` may be NULL.
        @return FRACAS_ERROR_BAD_DATA when there is no such vertex."""),
    "fracas_scene_default_split": (
        fracas_split,
        (),
        ""),
    "fracas_scene_split": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("split", POINTER(fracas_split)),
            ("parts", POINTER(fracas_body)),),
        """Break a body. `parts` receives one handle for each part; it may be NULL without parts. The
        elements of a part get new numbers: triangles as listed, vertices in the order of their old
        numbers. A part has the motion, pose, group, mask, self_collision and user pointer of the body.
        The cost is that of the listed elements (amortised), not of the body.
        @return FRACAS_ERROR_BAD_DATA when a part shares a vertex with the body or with another part."""),
    "fracas_split_plan_create": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("labels", c_void_p),
            ("label_count", c_uint32),
            ("out", POINTER(POINTER(fracas_split_plan))),),
        """On any error `*out` is NULL."""),
    "fracas_split_plan_get_split": (
        POINTER(fracas_split),
        (
            ("plan", POINTER(fracas_split_plan)),),
        """Valid while the plan lives. NULL for a NULL plan."""),
    "fracas_split_plan_destroy": (
        None,
        (
            ("plan", POINTER(fracas_split_plan)),),
        """NULL is allowed."""),
    "fracas_scene_default_merge": (
        fracas_merge,
        (),
        ""),
    "fracas_scene_merge": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("bodies", POINTER(fracas_body)),
            ("body_count", c_uint32),
            ("merge", POINTER(fracas_merge)),
            ("out", POINTER(fracas_body)),),
        """Join bodies into the first, which keeps its handle and its numbers; the numbers of the others
        follow. The cost is that of the bodies after the first: list the largest first. `*out` is the
        handle of the first body."""),
    "fracas_scene_trace": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("old", POINTER(fracas_element)),
            ("now", POINTER(fracas_element)),),
        """Follow an element, named as at the last fracas_scene_advance, through all edits since.
        `now->body` is zero when it has been removed."""),
    "fracas_scene_detect": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_query)),
            ("sink", POINTER(fracas_sink)),),
        """Report the contacts that `query` selects, sorted; the same for any number of threads."""),
    "fracas_scene_nearby": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("distance", c_double),
            ("sink", POINTER(fracas_sink)),),
        """Report every vertex–face and edge–edge pair without a common vertex whose distance at t = 1 is
        at most `distance`, with the closest points (fracas_query.min_separation defines "at most")."""),
    "fracas_scene_max_step": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_query)),
            ("out", c_void_p),),
        """The largest safe fraction of the step: there is no contact of the continuous query before it. 1
        when there is none in the whole step; at most t_max of the query. Much cheaper than detecting
        all contacts."""),
    "fracas_scene_candidates": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("distance", c_double),
            ("sink", POINTER(fracas_sink)),),
        """Report all vertex–face and edge–edge pairs (free edges and points as in nearby pairs) without a
        common vertex whose boxes over the step are at most `distance` apart along every axis, the
        thickness of both bodies apart. No pair that comes closer during the step is missing. Each is a
        contact at time 0 without u, v and normal."""),
    "fracas_candidates_create": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("distance", c_double),
            ("out", POINTER(POINTER(fracas_candidates))),),
        """The scene must outlive the candidates. On any error `*out` is NULL."""),
    "fracas_candidates_destroy": (
        None,
        (
            ("candidates", POINTER(fracas_candidates)),),
        """NULL is allowed."""),
    "fracas_candidates_get_count": (
        c_size_t,
        (
            ("candidates", POINTER(fracas_candidates)),),
        """0 for NULL."""),
    "fracas_candidates_detect": (
        c_uint,
        (
            ("candidates", POINTER(fracas_candidates)),
            ("query", POINTER(fracas_query)),
            ("sink", POINTER(fracas_sink)),),
        """Contacts of the candidates at the present positions of the scene, which may have been moved and
        advanced since: fracas_scene_update is not needed. Complete as long as each vertex is, at both
        ends of the step, in the box that its motion had when the candidates were found, enlarged by
        half of (distance - min_separation) on each side. If x1 was computed as x0 + p, then x0 + s p is
        in the box for each s from 0 to 1, in floating point too.
        @return FRACAS_ERROR_BAD_DATA when a vertex has left its box; FRACAS_ERROR_INVALID_ARGUMENT when
        bodies have been added, removed, split, merged or made thicker since, when the filter has been
        set, or when min_separation is larger than the distance of the candidates."""),
    "fracas_candidates_max_step": (
        c_uint,
        (
            ("candidates", POINTER(fracas_candidates)),
            ("query", POINTER(fracas_query)),
            ("out", c_void_p),),
        """fracas_scene_max_step among the candidates, with the same conditions."""),
    "fracas_scene_safe_distances": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("distance", c_double),
            ("bodies", POINTER(fracas_vertex_values)),
            ("body_count", c_uint32),),
        """How far each vertex may move from its place at t = 1, in any direction and along any path, so
        that no vertex–face and no edge–edge pair without a common vertex touches (of thick bodies:
        comes within their thickness) while all vertices move at the same time, each within its
        distance. It is at least 0.4999995 times the smallest distance of a pair that the vertex belongs
        to, less 2^-44 times the extent of the pair, and at most half of `distance`, which is above 0.
        Removed vertices get 0. Pairs of siblings and pairs that the filter leaves out do not count."""),
    "fracas_contacts_group": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("contacts", POINTER(fracas_contact)),
            ("count", c_size_t),
            ("rows", POINTER(fracas_contact_rows)),),
        """Sort contacts by the features of one body: a contact of a vertex and a face is in the row of the
        vertex and in the row of the face, one of two edges of the body is in both rows. Triangles of
        discrete contacts are faces. On any error offsets and entries are not changed.
        @return FRACAS_ERROR_BAD_DATA for a number of a vertex or triangle outside of the rows."""),
    "fracas_medial_mesh_default_options": (
        fracas_medial_mesh_options,
        (),
        ""),
    "fracas_medial_mesh_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("surface", POINTER(fracas_mesh_view)),
            ("options", POINTER(fracas_medial_mesh_options)),
            ("out", POINTER(POINTER(fracas_medial_mesh))),),
        """Compute the medial mesh of `surface`. Its triangles must be counter-clockwise seen from outside,
        as many of them must traverse each edge in one direction as in the other, and no two may
        intersect; surfaces of cavities are turned inwards. Free edges and points are ignored. The
        surface is not needed afterwards. The result is the same, bit by bit, for any number of threads.

        On any error `*out` is NULL.
        @return FRACAS_ERROR_BAD_DATA when the surface is not closed, not consistently oriented, inside
        out, flat or intersects itself, has a repeated index in a triangle, or as fracas_mesh_validate;
        FRACAS_ERROR_INVALID_ARGUMENT for an option out of range."""),
    "fracas_medial_mesh_create_from": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("view", POINTER(fracas_medial_view)),
            ("out", POINTER(POINTER(fracas_medial_mesh))),),
        """Copy a medial mesh. On any error `*out` is NULL.
        @return FRACAS_ERROR_BAD_DATA for a number that is not finite, a negative radius, an index out
        of range or an index that an edge or triangle has twice; the message names it."""),
    "fracas_medial_mesh_destroy": (
        None,
        (
            ("mesh", POINTER(fracas_medial_mesh)),),
        """NULL is allowed."""),
    "fracas_medial_mesh_get_view": (
        fracas_medial_view,
        (
            ("mesh", POINTER(fracas_medial_mesh)),),
        """Valid while `mesh` lives. Of a mesh made from a surface, or read from MAT, every side of a
        triangle is among the edges; made from a surface, edges and triangles are distinct. Empty for
        NULL."""),
    "fracas_medial_mesh_get_info": (
        c_uint,
        (
            ("mesh", POINTER(fracas_medial_mesh)),
            ("out", POINTER(fracas_medial_mesh_info)),),
        ""),
    "fracas_medial_mesh_read": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("path", c_char_p),
            ("out", POINTER(POINTER(fracas_medial_mesh))),),
        """Read a medial mesh: MA (`V E F`, then `v x y z r`, `e i j`, `f i j k`) or MAT (`V C S`, then
        `v x y z r node`, `c i j`, `s i j k`). Empty lines and those that begin with # are skipped;
        indices count from 0. On any error `*out` is NULL.
        @return FRACAS_ERROR_FILE when the file cannot be opened or read, FRACAS_ERROR_BAD_DATA when it
        is malformed; the message names file and line."""),
    "fracas_medial_mesh_parse": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("name", c_char_p),
            ("bytes", c_void_p),
            ("size", c_size_t),
            ("out", POINTER(POINTER(fracas_medial_mesh))),),
        """The same from memory; `name` is for messages."""),
    "fracas_medial_mesh_write": (
        c_uint,
        (
            ("mesh", POINTER(fracas_medial_mesh)),
            ("path", c_char_p),),
        """Write a medial mesh, as MAT if the name ends in .mat (with node numbers -1), else as MA. Reading
        it gives the same numbers; of MAT the sides of triangles then come last. After a write error an
        incomplete file may remain.
        @return FRACAS_ERROR_FILE when it cannot be written."""),
    "fracas_medial_shape_default_options": (
        fracas_medial_shape_options,
        (),
        ""),
    "fracas_medial_shape_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("mesh", POINTER(fracas_medial_mesh)),
            ("options", POINTER(fracas_medial_shape_options)),
            ("out", POINTER(POINTER(fracas_medial_shape))),),
        """Prepare a shape that any number of bodies may have. The mesh is not needed afterwards.

        On any error `*out` is NULL.
        @return FRACAS_ERROR_BAD_DATA for a mesh without a sphere, or with coordinates or radii beyond
        1e36; FRACAS_ERROR_INVALID_ARGUMENT for an option out of range."""),
    "fracas_medial_shape_create_from_surface": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("surface", POINTER(fracas_mesh_view)),
            ("options", POINTER(fracas_medial_shape_options)),
            ("out", POINTER(POINTER(fracas_medial_shape))),),
        """A shape of triangles, edges and points without thickness, for scenery.
        @return as above, or as fracas_mesh_validate."""),
    "fracas_medial_shape_destroy": (
        None,
        (
            ("shape", POINTER(fracas_medial_shape)),),
        """NULL is allowed. All bodies of the shape must have been removed or destroyed before."""),
    "fracas_medial_shape_get_info": (
        c_uint,
        (
            ("shape", POINTER(fracas_medial_shape)),
            ("out", POINTER(fracas_medial_shape_info)),),
        ""),
    "fracas_medial_bodies_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("out", POINTER(POINTER(fracas_medial_bodies))),),
        ""),
    "fracas_medial_bodies_destroy": (
        None,
        (
            ("bodies", POINTER(fracas_medial_bodies)),),
        """NULL is allowed. Shapes are not destroyed."""),
    "fracas_medial_bodies_add": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("shape", POINTER(fracas_medial_shape)),
            ("out", POINTER(fracas_medial_body)),),
        """Add a body of a shape of the same context, at the identity."""),
    "fracas_medial_bodies_remove": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("body", fracas_medial_body),),
        """@return FRACAS_ERROR_STALE_HANDLE when there is no such body, as for all functions below."""),
    "fracas_medial_bodies_set_motion": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("body", fracas_medial_body),
            ("start", POINTER(fracas_pose)),
            ("end", POINTER(fracas_pose)),),
        """Move a body during the next step from one pose to another. The shape's centre moves along a
        straight line, the orientation by the shorter way about one axis, both at even speed (the
        angular velocity changes by up to 17 % for a turn of 90 degrees). NULL as `end`: the body rests
        at `start`.
        @return FRACAS_ERROR_BAD_DATA when a number is not finite, a translation is larger than 1e36, or
        a matrix is not a rotation, up to 1e-6."""),
    "fracas_medial_bodies_set_fixed": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("body", fracas_medial_body),
            ("fixed", c_bool),),
        """Bodies that never move: no contacts between two of them. Default: false."""),
    "fracas_medial_bodies_default_query": (
        fracas_medial_query,
        (),
        ""),
    "fracas_medial_bodies_detect": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("query", POINTER(fracas_medial_query)),
            ("sink", POINTER(fracas_medial_sink)),),
        """Find all contacts during the step. They are the same for any number of threads.
        @return FRACAS_ERROR_INVALID_ARGUMENT, FRACAS_ERROR_OUT_OF_MEMORY, or FRACAS_ERROR_CANCELLED."""),
    "fracas_cuda_default_options": (
        fracas_cuda_options,
        (),
        ""),
    "fracas_cuda_context_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_cuda_options)),
            ("out", POINTER(POINTER(fracas_cuda_context))),),
        """Open a device. FRACAS_ERROR_UNSUPPORTED: there is none, or the driver is too old. On any error
        `*out` is NULL. The fracas_context must outlive it."""),
    "fracas_cuda_context_destroy": (
        None,
        (
            ("cuda", POINTER(fracas_cuda_context)),),
        """Destroy its scenes and bodies first. NULL is allowed."""),
    "fracas_cuda_context_get_name": (
        c_char_p,
        (
            ("cuda", POINTER(fracas_cuda_context)),),
        """The name of the device, valid as long as the context. NULL for a NULL context."""),
    "fracas_cuda_scene_create": (
        c_uint,
        (
            ("cuda", POINTER(fracas_cuda_context)),
            ("options", POINTER(fracas_scene_options)),
            ("out", POINTER(POINTER(fracas_scene))),),
        """A scene like that of fracas_scene_create, for all functions of fracas/scene.h, with the same
        contacts bit for bit. Queries find and decide pairs on the device. Queries of one scene run one
        after the other."""),
    "fracas_cuda_scene_move": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("moves", POINTER(fracas_cuda_move)),
            ("count", c_size_t),
            ("stream", c_void_p),),
        """Set the positions of bodies at t = 1. On any error no body has moved.
        @return FRACAS_ERROR_BAD_DATA for a position that is not finite (the message names the first
        one), FRACAS_ERROR_INVALID_ARGUMENT for a pointer that the device cannot read."""),
    "fracas_cuda_scene_detect": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_query)),
            ("place", c_uint),
            ("stream", c_void_p),
            ("out", POINTER(fracas_cuda_contacts)),),
        """The contacts of fracas_scene_detect in memory of the device, or in pinned memory of the host.
        `query` NULL: the default query. On any error `*out` is empty."""),
    "fracas_cuda_scene_get_statistics": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("out", POINTER(fracas_cuda_statistics)),),
        """Fails for a scene that fracas_cuda_scene_create has not created."""),
    "fracas_cuda_medial_bodies_create": (
        c_uint,
        (
            ("cuda", POINTER(fracas_cuda_context)),
            ("out", POINTER(POINTER(fracas_medial_bodies))),),
        """Bodies like those of fracas_medial_bodies_create, for all functions of fracas/medial.h, with the
        same contacts bit for bit. The host finds the pairs of bodies, the device the contacts of their
        primitives. Queries of the same bodies run one after the other."""),
    "fracas_cuda_medial_bodies_get_statistics": (
        c_uint,
        (
            ("bodies", POINTER(fracas_medial_bodies)),
            ("out", POINTER(fracas_cuda_statistics)),),
        """Work of the last query of such bodies. Pairs are pairs of primitives: `candidates` by their
        paths; `filtered` left by a direction in floats; `undecided_quick` left by their distance when
        the step begins, `undecided_roots` by straight ways. `ms_device` includes the copy of motions to
        the device, `ms_upload` does not. Fails for bodies that fracas_cuda_medial_bodies_create has not
        created."""),
    "fracas_scene_find_containment": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("points", POINTER(fracas_points)),
            ("out", c_void_p),),
        """Find out which points are inside a closed body: `out` receives a fracas_side for each point. A
        body is closed when each edge is passed as often in both directions; its triangles may intersect
        each other. Finding out whether the body is closed costs as much as reading it, once after each
        edit of it.
        @return FRACAS_ERROR_BAD_DATA for a point that is not finite, and for a body that is not closed:
        the message names an edge."""),
    "fracas_scene_find_closest_points": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("points", POINTER(fracas_points)),
            ("out", POINTER(fracas_closest_point)),),
        """The closest point of a body to each of the points. The body need not be closed.
        @return FRACAS_ERROR_BAD_DATA for a point that is not finite and a body without triangles."""),
    "fracas_scene_find_signed_distances": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("points", POINTER(fracas_points)),
            ("out", POINTER(fracas_closest_point)),),
        """The same for a closed body, with the side of each point and the sign of its distance, which is
        exact. Errors are those of fracas_scene_find_containment."""),
    "fracas_scene_find_distances": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("pairs", POINTER(fracas_body_pair)),
            ("count", c_size_t),
            ("out", POINTER(fracas_body_distance)),),
        """The distances of `count` pairs of different bodies, which have triangles.
        @return FRACAS_ERROR_BAD_DATA for a body without triangles."""),
    "fracas_scene_find_depths": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("pairs", POINTER(fracas_body_pair)),
            ("count", c_size_t),
            ("out", POINTER(fracas_body_depth)),),
        """Penetration depths of `count` pairs of different bodies, which have triangles and need not be
        closed.
        @return FRACAS_ERROR_BAD_DATA for a body without triangles."""),
    "fracas_triangles_intersect": (
        c_bool,
        (
            ("a", c_void_p),
            ("b", c_void_p),),
        """True if the triangles intersect."""),
    "fracas_mesh_triangles_intersect": (
        c_bool,
        (
            ("a", c_void_p),
            ("a_vertices", c_void_p),
            ("b", c_void_p),
            ("b_vertices", c_void_p),),
        """The same for two triangles of one mesh, with their vertex indices: corners with equal indices
        are the same vertex, and the pair counts only if it intersects beyond the hull of the common
        vertices (folded flat onto each other, pierced). Two triangles with the same three vertices
        count."""),
    "fracas_triangles_find_intersection": (
        c_bool,
        (
            ("a", c_void_p),
            ("b", c_void_p),
            ("out", POINTER(fracas_intersection)),),
        """True if the triangles intersect; `out` is where."""),
    "fracas_mesh_triangles_find_intersection": (
        c_bool,
        (
            ("a", c_void_p),
            ("a_vertices", c_void_p),
            ("b", c_void_p),
            ("b_vertices", c_void_p),
            ("out", POINTER(fracas_intersection)),),
        """The same for two triangles of one mesh, as fracas_mesh_triangles_intersect. What they share
        belongs to the intersection, if there is more."""),
    "fracas_point_is_in_tetrahedron": (
        c_bool,
        (
            ("p", c_void_p),
            ("tetrahedron", c_void_p),),
        """True if the point is in the closed tetrahedron, of either orientation."""),
    "fracas_vertex_face_find_impact": (
        c_bool,
        (
            ("vertex_t0", c_void_p),
            ("face_t0", c_void_p),
            ("vertex_t1", c_void_p),
            ("face_t1", c_void_p),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        """True if the vertex touches the closed triangle while all points move in straight lines from t0
        to t1. The reported time is at most `tolerance` too early, as a fraction of the step (0: 1e-6).
        `impact` may be NULL."""),
    "fracas_edge_edge_find_impact": (
        c_bool,
        (
            ("ab_t0", c_void_p),
            ("cd_t0", c_void_p),
            ("ab_t1", c_void_p),
            ("cd_t1", c_void_p),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        """The same for two closed edges."""),
    "fracas_vertex_face_find_approach": (
        c_bool,
        (
            ("vertex_t0", c_void_p),
            ("face_t0", c_void_p),
            ("vertex_t1", c_void_p),
            ("face_t1", c_void_p),
            ("min_separation", c_double),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        """The same for pairs that come within `min_separation` instead of touching (0: that touch), as
        fracas_query.min_separation defines it. u, v and normal are those of the closest points at that
        time. False for a distance that is negative or not finite."""),
    "fracas_edge_edge_find_approach": (
        c_bool,
        (
            ("ab_t0", c_void_p),
            ("cd_t0", c_void_p),
            ("ab_t1", c_void_p),
            ("cd_t1", c_void_p),
            ("min_separation", c_double),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        ""),
    "fracas_vertex_edge_find_approach": (
        c_bool,
        (
            ("vertex_t0", c_void_p),
            ("edge_t0", c_void_p),
            ("vertex_t1", c_void_p),
            ("edge_t1", c_void_p),
            ("min_separation", c_double),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        """The closest point of the edge is (1-u) a + u b."""),
    "fracas_vertex_vertex_find_approach": (
        c_bool,
        (
            ("a_t0", c_void_p),
            ("b_t0", c_void_p),
            ("a_t1", c_void_p),
            ("b_t1", c_void_p),
            ("min_separation", c_double),
            ("tolerance", c_double),
            ("impact", POINTER(fracas_impact)),),
        ""),
    "fracas_vertex_face_find_distance": (
        c_bool,
        (
            ("vertex", c_void_p),
            ("face", c_void_p),
            ("max_distance", c_double),
            ("out", POINTER(fracas_distance)),),
        """True if the distance is at most `max_distance` (INFINITY: always), as
        fracas_query.min_separation defines it; `out`, which may be NULL, is set only then."""),
    "fracas_edge_edge_find_distance": (
        c_bool,
        (
            ("ab", c_void_p),
            ("cd", c_void_p),
            ("max_distance", c_double),
            ("out", POINTER(fracas_distance)),),
        ""),
    "fracas_vertex_edge_find_distance": (
        c_bool,
        (
            ("vertex", c_void_p),
            ("edge", c_void_p),
            ("max_distance", c_double),
            ("out", POINTER(fracas_distance)),),
        ""),
    "fracas_vertex_vertex_find_distance": (
        c_bool,
        (
            ("a", c_void_p),
            ("b", c_void_p),
            ("max_distance", c_double),
            ("out", POINTER(fracas_distance)),),
        ""),
    "fracas_pairs_default_batch": (
        fracas_pair_batch,
        (),
        ""),
    "fracas_pairs_find_impacts": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("batch", POINTER(fracas_pair_batch)),
            ("hits", c_void_p),
            ("impacts", POINTER(fracas_impact)),
            ("result", POINTER(fracas_pairs_result)),),
        """The impacts of all pairs, in SIMD and on all workers of the context: for each pair the same bits
        as fracas_vertex_face_find_impact and its siblings. `hits` has one byte for each pair, 1 where
        there is an impact, otherwise 0. `impacts` has one entry for each pair, which is set where there
        is an impact. Each of `hits`, `impacts` and `result` may be NULL. Without a context (NULL) it
        runs on the calling thread, allocates nothing, and `result->bad_pair` is all that is known of
        bad data. With one it copies the points (64 bytes each) when they are at most four times as many
        as the pairs. On any error `hits` and `impacts` are unchanged, except that some are set when the
        call is cancelled."""),
    "fracas_pairs_find_distances": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("batch", POINTER(fracas_pair_batch)),
            ("hits", c_void_p),
            ("distances", POINTER(fracas_distance)),
            ("result", POINTER(fracas_pairs_result)),),
        """The same for the distances of all pairs: fracas_vertex_face_find_distance and its siblings."""),
    "fracas_solid_default_options": (
        fracas_solid_options,
        (),
        ""),
    "fracas_solid_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("tets", POINTER(fracas_tet_view)),
            ("options", POINTER(fracas_solid_options)),
            ("out", POINTER(POINTER(fracas_solid))),),
        """Preprocess tetrahedra; points and indices are copied. Every tetrahedron must have a positive
        volume (det(b - a, c - a, d - a) > 0), and every face at most two tetrahedra, on opposite sides.
        Tetrahedra that overlap without sharing a face are not detected.
        @return FRACAS_ERROR_BAD_DATA with a message that names the first bad tetrahedron or face. On
        any error `*out` is NULL."""),
    "fracas_solid_destroy": (
        None,
        (
            ("solid", POINTER(fracas_solid)),),
        """NULL is allowed."""),
    "fracas_solid_get_info": (
        c_uint,
        (
            ("solid", POINTER(fracas_solid)),
            ("out", POINTER(fracas_solid_info)),),
        ""),
    "fracas_solid_get_tets": (
        fracas_tet_view,
        (
            ("solid", POINTER(fracas_solid)),),
        """The tetrahedra, numbered as given; valid while the solid lives."""),
    "fracas_fragments_default_options": (
        fracas_fragments_options,
        (),
        ""),
    "fracas_fragments_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_fragments_options)),
            ("out", POINTER(POINTER(fracas_fragments))),),
        ""),
    "fracas_fragments_destroy": (
        None,
        (
            ("fragments", POINTER(fracas_fragments)),),
        """NULL is allowed."""),
    "fracas_fragments_add": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("solid", POINTER(fracas_solid)),
            ("out", POINTER(fracas_fragment)),),
        """Add a whole solid as one fragment. On any error nothing changes and `*out` is zero."""),
    "fracas_fragments_remove": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),),
        ""),
    "fracas_fragments_fracture": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("fracture", POINTER(fracas_fracture)),
            ("parts", POINTER(fracas_fragment)),),
        """Break a fragment; its handle becomes stale. `parts` receives part_count handles. A part may be
        disconnected: patterns (below) give none that is. On any error nothing changes.
        @return FRACAS_ERROR_BAD_DATA for a part out of range or without a node, an edge that does not
        exist, joins nodes of one part or is cut twice, a position out of range."""),
    "fracas_fragments_get_solid": (
        POINTER(fracas_solid),
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),),
        """The solid of a fragment; NULL for an invalid handle."""),
    "fracas_fragments_get_info": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("out", POINTER(fracas_fragment_info)),),
        ""),
    "fracas_fragments_locate": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("point", c_void_p),
            ("out", POINTER(fracas_depth)),),
        """Is a point inside a fragment, and how deep? Safe to call from several threads at once.
        @return FRACAS_ERROR_BAD_DATA for a point that is not finite."""),
    "fracas_fragment_surface_create": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("out", POINTER(POINTER(fracas_fragment_surface))),),
        ""),
    "fracas_fragment_surface_destroy": (
        None,
        (
            ("surface", POINTER(fracas_fragment_surface)),),
        """NULL is allowed."""),
    "fracas_fragment_surface_get_view": (
        fracas_mesh_view,
        (
            ("surface", POINTER(fracas_fragment_surface)),),
        """Counter-clockwise seen from outside; valid while the surface lives."""),
    "fracas_fragment_surface_get_cracks": (
        c_void_p,
        (
            ("surface", POINTER(fracas_fragment_surface)),),
        """For each triangle whether it is of a crack; else it is of the surface of the solid."""),
    "fracas_fracture_pattern_create_plane": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("point", c_void_p),
            ("normal", c_void_p),
            ("out", POINTER(POINTER(fracas_fracture_pattern))),),
        """Cut a fragment by the plane of the points x with normal . (x - point) = 0; the normal need not
        be a unit vector. Nodes on the plane belong to the side of the normal. An edge is cut where it
        crosses the plane, moved to 0.05 of its length from its ends.
        @return FRACAS_ERROR_BAD_DATA when the fragment would not break."""),
    "fracas_fracture_pattern_create_voronoi": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("sites", c_void_p),
            ("site_count", c_uint32),
            ("out", POINTER(POINTER(fracas_fracture_pattern))),),
        """Each node falls to its nearest site, the first of several at one distance; edges are cut as
        above, by the plane between two sites."""),
    "fracas_fracture_pattern_destroy": (
        None,
        (
            ("pattern", POINTER(fracas_fracture_pattern)),),
        """NULL is allowed."""),
    "fracas_fracture_pattern_get": (
        fracas_fracture,
        (
            ("pattern", POINTER(fracas_fracture_pattern)),),
        """Valid while the pattern lives."""),
    "fracas_fragments_set_pose": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("pose", POINTER(fracas_pose)),),
        """Place a fragment. Fragments are added at the identity; parts begin at the pose of the fragment
        that broke.
        @return FRACAS_ERROR_BAD_DATA when a number is not finite or the matrix is not a rotation, up to
        1e-6."""),
    "fracas_fragments_set_fixed": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("fragment", fracas_fragment),
            ("fixed", c_bool),),
        """Fragments that never move: no contacts between two of them. Default: false."""),
    "fracas_fragments_default_query": (
        fracas_fragment_query,
        (),
        ""),
    "fracas_fragments_detect": (
        c_uint,
        (
            ("fragments", POINTER(fracas_fragments)),
            ("query", POINTER(fracas_fragment_query)),
            ("sink", POINTER(fracas_fragment_sink)),),
        """Find all contacts between fragments at their poses. Contacts are the same for any number of
        threads.
        @return FRACAS_ERROR_INVALID_ARGUMENT, FRACAS_ERROR_OUT_OF_MEMORY, or FRACAS_ERROR_CANCELLED."""),
    "fracas_scene_find_intersection": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("contact", POINTER(fracas_contact)),
            ("out", POINTER(fracas_intersection)),),
        """The intersection of the two triangles of a contact of kind TT, or of the edge and the triangle
        of ET, at t = 1. The scene must not have been edited since the query.
        @return FRACAS_ERROR_INVALID_ARGUMENT for a contact of another kind, or as
        fracas_scene_get_triangle."""),
    "fracas_intersections_create": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("contacts", POINTER(fracas_contact)),
            ("count", c_size_t),
            ("out", POINTER(POINTER(fracas_intersections))),),
        """Find the intersections of contacts that a query of the scene has reported, on all workers. The
        scene must not have been edited since. On any error `*out` is NULL."""),
    "fracas_intersections_destroy": (
        None,
        (
            ("intersections", POINTER(fracas_intersections)),),
        """NULL is allowed."""),
    "fracas_intersections_get_view": (
        fracas_intersections_view,
        (
            ("intersections", POINTER(fracas_intersections)),),
        """All zero for NULL."""),
    "fracas_scene_find_inside": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("contacts", POINTER(fracas_contact)),
            ("count", c_size_t),
            ("report", fracas_inside_fn),
            ("user", c_void_p),),
        """Find the bodies inside others at t = 1. `contacts` are all discrete contacts that a query of the
        scene has found; others are ignored. Parts are inside where their winding number is not zero, so
        a cavity whose surface faces into it is outside. A part is closed when each edge is passed as
        often in both directions. Pairs are in the order of their bodies; the groups and masks of bodies
        count as in queries. The cost is that of reading the scene once, and of a ray for each part that
        may be inside a body."""),
    "fracas_mesh_file_default_options": (
        fracas_mesh_file_options,
        (),
        ""),
    "fracas_mesh_file_read": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("path", c_char_p),
            ("options", POINTER(fracas_mesh_file_options)),
            ("out", POINTER(POINTER(fracas_mesh_file))),),
        """Read `path`. The first bytes and the name determine the format. Progress is reported, and
        cancelling checked, every megabyte. A mesh may have up to 2^32 - 2 vertices, faces and corners
        of faces. On any error `*out` is NULL.
        @return FRACAS_ERROR_FILE when it cannot be opened or read, FRACAS_ERROR_BAD_DATA when it is
        malformed (the message names file and line or byte), FRACAS_ERROR_UNSUPPORTED for an unknown
        format."""),
    "fracas_mesh_file_parse": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("name", c_char_p),
            ("bytes", c_void_p),
            ("size", c_size_t),
            ("options", POINTER(fracas_mesh_file_options)),
            ("out", POINTER(POINTER(fracas_mesh_file))),),
        """The same from memory; `name` is for messages, and determines the format if the bytes do not."""),
    "fracas_mesh_file_destroy": (
        None,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """NULL is allowed."""),
    "fracas_mesh_file_get_view": (
        fracas_mesh_view,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """Points (doubles), triangles (polygons are triangulated), free edges and free points. Free edges
        are those of OBJ `l`, PLY `edge` and VTK lines, and faces of two corners; repeated ones are
        kept. Free points are the points that no triangle, free edge or tetrahedron uses, each once, in
        ascending order, whether the file lists them (OBJ `p`, faces of one corner) or not. Valid while
        `file` lives.

        A polygon of n corners becomes n - 2 triangles: a fan around its first corner if that covers it
        exactly, else by ear clipping (exact, projected along the axis nearest to its normal). The
        triangles of a polygon that crosses itself may overlap; so may those of a concave polygon of
        many thousand corners, for which ear clipping takes too long."""),
    "fracas_mesh_file_get_tets": (
        fracas_tet_view,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """The tetrahedra of the file, in its order; their points are those of the view above."""),
    "fracas_mesh_file_get_face_tets": (
        c_void_p,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """Of a file read with `surface`: the tetrahedron of each face, FRACAS_NONE for the faces of the
        file. Otherwise NULL."""),
    "fracas_mesh_file_count_left_out": (
        c_uint32,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """How many kinds of elements were left out; 0 when the mesh has all elements of the file."""),
    "fracas_mesh_file_get_left_out": (
        fracas_left_out,
        (
            ("file", POINTER(fracas_mesh_file)),
            ("index", c_uint32),),
        """One kind, in the order of the file. Names are distinct; all after the first 31 are counted
        together as "others". An `index` out of range gives "" and 0."""),
    "fracas_mesh_file_get_format": (
        c_char_p,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """"obj", "ply", "stl", "off", "msh", "vtk", "vtu", "tetgen" or "medit"."""),
    "fracas_mesh_file_get_faces": (
        fracas_mesh_faces,
        (
            ("file", POINTER(fracas_mesh_file)),),
        ""),
    "fracas_mesh_file_get_vertex_parents": (
        c_void_p,
        (
            ("file", POINTER(fracas_mesh_file)),),
        """`int parent` of a PLY file: the vertex (or face) of the previous frame that is the same one, or
        that this one was made from; one per vertex, and one per face of the file. The values are not
        checked. NULL when the file has none."""),
    "fracas_mesh_file_get_face_parents": (
        c_void_p,
        (
            ("file", POINTER(fracas_mesh_file)),),
        ""),
    "fracas_mesh_file_triangulate_like": (
        c_uint,
        (
            ("file", POINTER(fracas_mesh_file)),
            ("like", POINTER(fracas_mesh_file)),),
        """Replace the triangles of `file` by those of `like`, whose polygon list must be equal: a moving
        polygon mesh is triangulated the same way in every frame. Views of `file` stay valid.
        @return FRACAS_ERROR_INVALID_ARGUMENT when the polygon lists differ."""),
    "fracas_ply_write": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("path", c_char_p),
            ("mesh", POINTER(fracas_mesh_view)),
            ("vertex_parents", c_void_p),
            ("face_parents", c_void_p),),
        """Write a binary little-endian PLY with double points, triangles as faces, and free edges; parents
        (one per vertex, one per triangle) may be NULL. Reading it gives the same points, triangles,
        edges and parents; unused points become free points. After a write error an incomplete file may
        remain.
        @return FRACAS_ERROR_FILE when it cannot be written, else as fracas_mesh_validate."""),
    "fracas_scene_default_filter": (
        fracas_pair_filter,
        (),
        ""),
    "fracas_scene_set_filter": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("filter", POINTER(fracas_pair_filter)),),
        """Set what all queries leave out, in place of an earlier filter; NULL: nothing. The lists are
        copied. Vertices keep their place in them when they move to a part that breaks off; a vertex
        that a split makes from parents has a rest position made from theirs, and is in no list.
        Requires fracas_scene_update before the next query."""),
    "fracas_tets_default_options": (
        fracas_tets_options,
        (),
        ""),
    "fracas_tets_default_query": (
        fracas_tets_query,
        (),
        ""),
    "fracas_tets_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_tets_options)),
            ("out", POINTER(POINTER(fracas_tets))),),
        ""),
    "fracas_tets_destroy": (
        None,
        (
            ("tets", POINTER(fracas_tets)),),
        """NULL is allowed."""),
    "fracas_tets_add": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("view", POINTER(fracas_tet_view)),
            ("out", POINTER(fracas_body)),),
        """Add a body; points and indices are copied. On any error nothing changes and `*out` is zero.
        @return FRACAS_ERROR_BAD_DATA for a number that is not finite or an index out of range."""),
    "fracas_tets_remove": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),),
        ""),
    "fracas_tets_move": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("points", POINTER(fracas_points)),),
        """Set the positions of all points of a body: one for every vertex number, those of removed
        vertices are ignored. On any error no position changes."""),
    "fracas_tets_update": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),),
        """Required after edits and moves, before queries. Returns at once when nothing has changed."""),
    "fracas_tets_get_update_statistics": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("out", POINTER(fracas_tets_update_statistics)),),
        """Statistics of the last update that had work to do; all zero before the first."""),
    "fracas_tets_detect": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("query", POINTER(fracas_tets_query)),
            ("sink", POINTER(fracas_tets_sink)),),
        """Report all penetrations. Safe to call from several threads at once.
        @return FRACAS_ERROR_INVALID_ARGUMENT when bodies have changed since the last update."""),
    "fracas_tets_get_body": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("out", POINTER(fracas_tets_body_info)),),
        ""),
    "fracas_tets_set_user": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("user", c_void_p),),
        """Store a pointer for the caller with a body; the library never reads it."""),
    "fracas_tets_get_tet": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("tet", c_uint32),
            ("corners", c_void_p),),
        """Vertices of a tetrahedron. @return FRACAS_ERROR_BAD_DATA when there is no such tetrahedron."""),
    "fracas_tets_get_vertex": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("vertex", c_uint32),
            ("at", c_void_p),),
        """Position of a vertex. @return FRACAS_ERROR_BAD_DATA when no tetrahedron uses it."""),
    "fracas_tets_default_split": (
        fracas_tet_split,
        (),
        ""),
    "fracas_tets_split": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("body", fracas_body),
            ("split", POINTER(fracas_tet_split)),
            ("parts", POINTER(fracas_body)),),
        """Break a body. `parts` receives one handle for each part; it may be NULL without parts. The
        elements of a part get new numbers: tetrahedra as listed, vertices in the order of their old
        numbers. The cost is that of the listed elements (amortised), not of the body; the next update,
        which visits every element, groups them again. With fracas_tets_options.depth it finds the
        surface of every edited body again. On any error nothing changes.
        @return FRACAS_ERROR_BAD_DATA when a part shares a vertex with the body or with another part."""),
    "fracas_tets_default_merge": (
        fracas_tet_merge,
        (),
        ""),
    "fracas_tets_merge": (
        c_uint,
        (
            ("tets", POINTER(fracas_tets)),
            ("bodies", POINTER(fracas_body)),
            ("body_count", c_uint32),
            ("merge", POINTER(fracas_tet_merge)),
            ("out", POINTER(fracas_body)),),
        """Join bodies into the first, which keeps its handle and its numbers; the numbers of the others
        follow. The cost is that of the bodies after the first, and of the first if a weld removes a
        vertex of it. `*out` is the handle of the first body. On any error nothing changes."""),
    "fracas_penetrations_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("out", POINTER(POINTER(fracas_penetrations))),),
        """On any error `*out` is NULL."""),
    "fracas_penetrations_destroy": (
        None,
        (
            ("penetrations", POINTER(fracas_penetrations)),),
        """NULL is allowed."""),
    "fracas_penetrations_get_sink": (
        fracas_tets_sink,
        (
            ("penetrations", POINTER(fracas_penetrations)),),
        """Clear the list and return a sink that fills it: one query, which fails without the memory for
        all penetrations. All zero for a NULL list."""),
    "fracas_penetrations_get_data": (
        POINTER(fracas_penetration),
        (
            ("penetrations", POINTER(fracas_penetrations)),
            ("count", c_void_p),),
        """The penetrations of the last query, none when it failed; valid until the next query or
        fracas_penetrations_get_sink. `count` may be NULL. NULL and 0 for a NULL list."""),
    "fracas_penetrations_get_statistics": (
        POINTER(fracas_tets_statistics),
        (
            ("penetrations", POINTER(fracas_penetrations)),),
        """Statistics of the last query. NULL for a NULL list."""),
    "fracas_scene_default_stream": (
        fracas_stream,
        (),
        ""),
    "fracas_scene_stream": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_query)),
            ("stream", POINTER(fracas_stream)),),
        """The contacts of fracas_scene_detect in blocks of compact records, with memory for one block
        instead of all contacts. The blocks and their order depend on the scene, the query and
        stream.block_contacts, and not on the number of threads; the order is that of parts of the
        scene, sorted within a block. When all contacts fit into one block it is the order of
        fracas_scene_detect. A scene on a device finds all contacts at once: they are in that order, and
        need memory for all. Discrete contacts come before continuous ones. After an error some blocks
        may have been reported. query.first must be false. The callback of a filter of pairs may be
        called more than once for a pair."""),
    "fracas_scene_stream_nearby": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("distance", c_double),
            ("stream", POINTER(fracas_stream)),),
        """The same for the pairs of fracas_scene_nearby."""),
    "fracas_scene_place_contacts": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("contacts", POINTER(fracas_contact)),
            ("count", c_size_t),
            ("time", c_uint),
            ("out", POINTER(fracas_contact_place)),),
        """The vertices and points of `count` contacts, in one call and on all workers. Call it before
        the next edit or move. On any error `out`, which has one entry for each contact, is unchanged.
        @return FRACAS_ERROR_BAD_DATA when a body, triangle or vertex of a contact does not exist; the
        message has the number of the first such contact."""),
    "fracas_tet_mesh_default_options": (
        fracas_tet_mesh_options,
        (),
        ""),
    "fracas_tet_mesh_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("surface", POINTER(fracas_mesh_view)),
            ("options", POINTER(fracas_tet_mesh_options)),
            ("out", POINTER(POINTER(fracas_tet_mesh))),),
        """Fill `surface` with tetrahedra. Its triangles must be counter-clockwise seen from outside, and
        as many of them must traverse each edge in one direction as in the other; surfaces of cavities
        are turned inwards. It should not intersect itself (see irregular_points). Free edges and
        points are ignored. The surface is not needed afterwards. The result is the same, bit by bit,
        for any number of threads.

        On any error `*out` is NULL.
        @return FRACAS_ERROR_BAD_DATA when the surface is not closed, not consistently oriented, inside
        out, flat, or too thin for the cell size, has a repeated index in a triangle, or as
        fracas_mesh_validate; FRACAS_ERROR_INVALID_ARGUMENT for an angle out of range, and a cell size
        that is negative, not finite, or so small that the lattice would have more than 2^28 points or
        that coordinates, which are doubles, could not resolve it."""),
    "fracas_tet_mesh_destroy": (
        None,
        (
            ("mesh", POINTER(fracas_tet_mesh)),),
        """NULL is allowed."""),
    "fracas_tet_mesh_get_view": (
        fracas_tet_view,
        (
            ("mesh", POINTER(fracas_tet_mesh)),),
        """Nodes (doubles) and tetrahedra, valid while `mesh` lives. Every node is used. Every tetrahedron
        has exactly positive volume, det(b - a, c - a, d - a) > 0 for corners a, b, c, d; every face
        belongs to one or two of them. Empty for NULL."""),
    "fracas_tet_mesh_get_info": (
        c_uint,
        (
            ("mesh", POINTER(fracas_tet_mesh)),
            ("out", POINTER(fracas_tet_mesh_info)),),
        ""),
    "fracas_scene_get_triangle_marks": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("body", fracas_body),
            ("mode", c_uint32),
            ("marks", POINTER(fracas_triangle_mark)),
            ("count", c_uint32),),
        """Set the mark of each triangle by its number; those of removed triangles are zero. `mode` is
        FRACAS_MODE_DISCRETE or FRACAS_MODE_CONTINUOUS, one of the modes of the scene; `count` is
        fracas_body_info.triangle_numbers. Cost: the leaves of the body times their depth. The scene
        must be updated. On an error `marks` is unchanged."""),
    "fracas_published_tets_default_options": (
        fracas_published_tets_options,
        (),
        ""),
    "fracas_published_tets_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_tets_options)),
            ("published", POINTER(fracas_published_tets_options)),
            ("out", POINTER(POINTER(fracas_tets))),),
        """Like fracas_tets_create(), with a published method. All other calls are those of fracas/tets.h.
        @return FRACAS_ERROR_INVALID_ARGUMENT for options that are not initialised or out of range."""),
    "fracas_published_scene_default_options": (
        fracas_published_scene_options,
        (),
        ""),
    "fracas_published_scene_create": (
        c_uint,
        (
            ("context", POINTER(fracas_context)),
            ("options", POINTER(fracas_published_scene_options)),
            ("out", POINTER(POINTER(fracas_scene))),),
        """As fracas_scene_create."""),
    "fracas_published_scene_default_query": (
        fracas_published_query,
        (),
        ""),
    "fracas_published_scene_detect": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_published_query)),
            ("sink", POINTER(fracas_sink)),
            ("statistics", POINTER(fracas_published_statistics)),),
        """As fracas_scene_detect, of any scene. `statistics` may be NULL."""),
    "fracas_published_scene_detect_lazy": (
        c_uint,
        (
            ("scene", POINTER(fracas_scene)),
            ("query", POINTER(fracas_published_query)),
            ("sink", POINTER(fracas_sink)),
            ("statistics", POINTER(fracas_published_statistics)),),
        """The same, and rebuilds the degraded subtrees that it visits. The scene must have been created
        with FRACAS_PUBLISHED_RESTRUCTURE_LAZY; all other queries use its trees without rebuilding them."""),
}


class Library:
    """The functions of the shared library, by their names in C; each has its comment. Those of
    fracas/cuda.h are in libfracas-cuda only."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.has_cuda = True
        handle = ctypes.CDLL(path)
        for name, (result, arguments, doc) in FUNCTIONS.items():
            try:
                function = getattr(handle, name)
            except AttributeError:
                if name.startswith("fracas_cuda_"):
                    self.has_cuda = False
                    continue
                raise ImportError(f"{path} has no function {name}: it is of another version "
                                  "than the package") from None
            function.restype = result
            function.argtypes = [kind for _, kind in arguments]
            names = ", ".join(argument for argument, _ in arguments)
            function.__doc__ = f"{name}({names})\n\n{doc}"
            setattr(self, name, function)

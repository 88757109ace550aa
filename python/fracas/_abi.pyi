# The C interface of Fracas: generated from include/fracas by tools/python_abi.py.
import ctypes
import enum
from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T", bound=ctypes._CData)
_Ref = ctypes._Pointer[_T] | ctypes.Array[_T] | ctypes._CArgObject | None
_Address = int | ctypes.c_void_p | ctypes._CArgObject | ctypes.Array[Any] | None

FRACAS_VERSION_MAJOR: int
FRACAS_VERSION_MINOR: int
FRACAS_VERSION_PATCH: int
FRACAS_NONE: int
FRACAS_CUT_MARGIN: float
FRACAS_MAX_RINGS: int

class fracas_status(enum.IntEnum):
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
    ERROR = 0
    WARNING = 1
    INFO = 2

class fracas_mode(enum.IntEnum):
    DISCRETE = 1
    CONTINUOUS = 2
    BOTH = 3

class fracas_contact_kind(enum.IntEnum):
    TT = 0
    ET = 1
    VF = 2
    EE = 3
    VE = 4
    VV = 5

class fracas_closest_type(enum.IntEnum):
    NONE = 0
    POINT_POINT = 1
    POINT_EDGE = 2
    POINT_FACE = 3
    EDGE_EDGE = 4
    PARALLEL_EDGES = 5

class fracas_siblings(enum.IntEnum):
    UNTIL_SEPARATED = 0
    REPORT = 1
    IGNORE = 2

class fracas_scalar(enum.IntEnum):
    DOUBLE = 0
    FLOAT = 1

class fracas_build_quality(enum.IntEnum):
    FAST_QUERY = 0
    FAST_BUILD = 1

class fracas_motion(enum.IntEnum):
    DEFORMING = 0
    RIGID = 1
    STATIC = 2

class fracas_move_kind(enum.IntEnum):
    POINTS = 0
    POSE = 1

class fracas_element_kind(enum.IntEnum):
    VERTEX = 0
    TRIANGLE = 1

class fracas_feature(enum.IntEnum):
    VERTEX = 0
    EDGE = 1
    FACE = 2

class fracas_medial_degenerate(enum.IntEnum):
    EXACT = 0
    PUBLISHED = 1

class fracas_medial_selection(enum.IntEnum):
    ALL = 0
    FIRST = 1

class fracas_medial_broad_phase(enum.IntEnum):
    SWEEP = 0
    CONES = 1
    NONE = 2

class fracas_cuda_place(enum.IntEnum):
    DEVICE = 0
    HOST = 1

class fracas_side(enum.IntEnum):
    OUTSIDE = 0
    SURFACE = 1
    INSIDE = 2

class fracas_meeting(enum.IntEnum):
    NONE = 0
    TOUCH = 1
    CROSS = 2

class fracas_field_update(enum.IntEnum):
    CLOSEST_POINT = 0
    VISIT_ONCE = 1
    LITERAL = 2
    EXACT = 3

class fracas_tree_update(enum.IntEnum):
    NEAREST = 0
    FIRST = 1
    REBUILD = 2

class fracas_contact_selection(enum.IntEnum):
    ADAPTIVE = 0
    FIXED = 1
    ALL = 2

class fracas_contact_order(enum.IntEnum):
    MAX_DISTANCE = 0
    BREADTH_FIRST = 1

class fracas_weld(enum.IntEnum):
    DEFAULT = 0
    EXACT = 1
    NONE = 2

class fracas_record_values(enum.IntEnum):
    TOI = 1
    PARAMETERS = 2
    NORMALS = 4
    DISTANCES = 8
    CLOSEST = 16

class fracas_place_time(enum.IntEnum):
    IMPACT = 0
    END = 1

class fracas_published_tets_method(enum.IntEnum):
    SORTED_CELLS = 0
    TESCHNER = 1
    TESCHNER_ONE_PASS = 2
    BVH = 3

class fracas_published_tets_hash(enum.IntEnum):
    XOR = 0
    ADDITIVE = 1
    ROTATING = 2

class fracas_published_tets_test(enum.IntEnum):
    EXACT = 0
    BARYCENTRIC = 1
    HALF_SPACES = 2

class fracas_published_builder(enum.IntEnum):
    SAH = 0
    MEDIAN = 1
    GRID = 2

class fracas_published_restructure(enum.IntEnum):
    SELECTIVE = 0
    NONE = 1
    ALWAYS = 2
    RESTART = 3
    LAZY = 4
    SUBTREES = 5
    RESTART_SUBTREES = 6

class fracas_published_metric(enum.IntEnum):
    TC = 0
    LM = 1

class fracas_published_cull(enum.IntEnum):
    CERTIFICATE = 0
    NONE = 1
    NORMAL_CONE = 2
    NORMAL_CONE_BOUNDARY = 3
    NORMAL_CONE_CONTOUR = 4
    DUAL_CONE = 5
    DUAL_CONE_FRONT = 6

class fracas_published_broad(enum.IntEnum):
    TREE = 0
    HASH = 1

class fracas_published_scheduler(enum.IntEnum):
    WORK_SHARING = 0
    PCCD = 1
    PCCD_DISJOINT = 2
    PCCD_FRONT = 3

class fracas_published_filter(enum.IntEnum):
    ALL = 0
    NON_PENETRATION = 1
    NONE = 2

class _fracas_move_2(ctypes.Union):
    points_t1: fracas_points
    poses: ctypes.Array[fracas_pose]

class fracas_allocator(ctypes.Structure):
    allocate: Any
    release: Any
    user: int | None

class fracas_task_hooks(ctypes.Structure):
    enqueue: Any
    finish: Any
    user: int | None

class fracas_context_options(ctypes.Structure):
    struct_size: int
    worker_count: int
    allocator: fracas_allocator
    tasks: fracas_task_hooks
    log: fracas_log_fn
    log_user: int | None
    progress: fracas_progress_fn
    progress_user: int | None
    spin_ms: float

class fracas_context(ctypes.Structure): ...

class fracas_body(ctypes.Structure):
    index: int
    generation: int

class fracas_contact(ctypes.Structure):
    kind: int
    body_a: fracas_body
    body_b: fracas_body
    a: ctypes.Array[ctypes.c_uint32]
    b: ctypes.Array[ctypes.c_uint32]
    toi: float
    u: float
    v: float
    normal: ctypes.Array[ctypes.c_double]
    distance: float
    closest: int
    reserved: ctypes.Array[ctypes.c_uint32]

class fracas_query(ctypes.Structure):
    struct_size: int
    modes: int
    first: bool
    siblings: int
    tolerance: float
    min_separation: float
    t_max: float
    max_contacts: int

class fracas_statistics(ctypes.Structure):
    contacts: ctypes.Array[ctypes.c_uint64]
    siblings_left_out: int
    box_pairs: int
    tt_candidates: int
    vf_candidates: int
    ee_candidates: int
    filtered: int
    exact: int
    earliest_toi: float
    ms_traverse: float
    ms_narrow: float
    ms_total: float
    ms_sort: float
    ms_idle: float
    left_out: int
    limit_reached: int
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_sink(ctypes.Structure):
    report: fracas_contact_fn
    user: int | None
    statistics: ctypes._Pointer[fracas_statistics]

class fracas_contacts(ctypes.Structure): ...

class fracas_points(ctypes.Structure):
    data: int | None
    count: int
    stride: int
    scalar: int

class fracas_mesh_view(ctypes.Structure):
    points: fracas_points
    triangles: int | None
    triangle_count: int
    edge_count: int
    edges: int | None
    vertices: int | None
    vertex_count: int

class fracas_tet_view(ctypes.Structure):
    points: fracas_points
    tets: int | None
    tet_count: int

class fracas_mesh_info(ctypes.Structure):
    vertices: int
    triangles: int
    edges: int
    free_edges: int
    free_vertices: int
    unused_vertices: int
    components: int
    boundary_edges: int
    nonmanifold_edges: int
    misoriented_edges: int
    repeated_index_triangles: int
    flat_triangles: int
    duplicate_triangles: int
    closed: bool
    manifold: bool
    box_min: ctypes.Array[ctypes.c_double]
    box_max: ctypes.Array[ctypes.c_double]
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_tet_info(ctypes.Structure):
    vertices: int
    tets: int
    unused_vertices: int
    components: int
    faces: int
    boundary_triangles: int
    nonmanifold_triangles: int
    inverted: int
    flat: int
    repeated_index_tets: int
    duplicate_tets: int
    box_min: ctypes.Array[ctypes.c_double]
    box_max: ctypes.Array[ctypes.c_double]
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_pose(ctypes.Structure):
    rotation: ctypes.Array[ctypes.c_double]
    translation: ctypes.Array[ctypes.c_double]

class fracas_scene(ctypes.Structure): ...

class fracas_scene_options(ctypes.Structure):
    struct_size: int
    modes: int
    quality: int

class fracas_body_options(ctypes.Structure):
    struct_size: int
    motion: int
    group: int
    mask: int
    self_collision: bool
    pose: fracas_pose
    thickness: float
    user: int | None

class fracas_move(ctypes.Structure):
    body: fracas_body
    kind: int
    _2: Any
    points_t1: fracas_points
    poses: ctypes.Array[fracas_pose]

class fracas_update_statistics(ctypes.Structure):
    cull_tried: int
    cull_certified: int
    ms_refit: float
    ms_restructure: float
    ms_cull: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_body_info(ctypes.Structure):
    user: int | None
    thickness: float
    motion: int
    vertex_numbers: int
    triangle_numbers: int
    vertices: int
    triangles: int
    free_edges: int
    free_vertices: int
    reserved: ctypes.Array[ctypes.c_uint32]

class fracas_new_vertex(ctypes.Structure):
    parent_a: int
    parent_b: int
    weight: float
    t0: ctypes.Array[ctypes.c_double]
    t1: ctypes.Array[ctypes.c_double]

class fracas_repoint(ctypes.Structure):
    triangle: int
    corner: int
    vertex: int

class fracas_split(ctypes.Structure):
    struct_size: int
    new_vertex_count: int
    new_vertices: ctypes._Pointer[fracas_new_vertex]
    repoints: ctypes._Pointer[fracas_repoint]
    repoint_count: int
    new_triangle_count: int
    new_triangles: int | None
    removed_triangles: int | None
    removed_triangle_count: int
    part_count: int
    part_offsets: int | None
    part_triangles: int | None

class fracas_split_plan(ctypes.Structure): ...

class fracas_weld_pair(ctypes.Structure):
    body_a: int
    vertex_a: int
    body_b: int
    vertex_b: int

class fracas_merge(ctypes.Structure):
    struct_size: int
    weld_count: int
    welds: ctypes._Pointer[fracas_weld_pair]
    vertex_map: int | None
    triangle_map: int | None

class fracas_element(ctypes.Structure):
    body: fracas_body
    kind: int
    index: int

class fracas_candidates(ctypes.Structure): ...

class fracas_vertex_values(ctypes.Structure):
    body: fracas_body
    count: int
    values: int | None

class fracas_contact_rows(ctypes.Structure):
    body: fracas_body
    feature: int
    row_count: int
    edges: int | None
    offsets: int | None
    entries: int | None
    entry_capacity: int

class fracas_medial_mesh(ctypes.Structure): ...

class fracas_medial_sphere(ctypes.Structure):
    center: ctypes.Array[ctypes.c_double]
    radius: float

class fracas_medial_view(ctypes.Structure):
    spheres: ctypes._Pointer[fracas_medial_sphere]
    edges: int | None
    triangles: int | None
    sphere_count: int
    edge_count: int
    triangle_count: int

class fracas_medial_mesh_options(ctypes.Structure):
    struct_size: int
    spheres: int
    error: float
    samples: int
    fit_rounds: int
    spheres_only: bool

class fracas_medial_fit(ctypes.Structure):
    samples: int
    max: float
    mean: float

class fracas_medial_mesh_info(ctypes.Structure):
    spheres: int
    edges: int
    triangles: int
    medial_vertices: int
    samples: int
    diagonal: float
    from_surface: fracas_medial_fit
    to_surface: fracas_medial_fit
    protrusion: float
    surface_covered: float
    surface_volume: float
    volume: float
    volume_covered: float
    volume_points: int
    ms: float
    ms_measure: float
    inflation: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_medial_shape(ctypes.Structure): ...

class fracas_medial_bodies(ctypes.Structure): ...

class fracas_medial_shape_options(ctypes.Structure):
    struct_size: int
    degenerate: int
    inflation: float
    centre: ctypes.Array[ctypes.c_double]

class fracas_medial_shape_info(ctypes.Structure):
    spheres: int
    cones: int
    slabs: int
    degenerate: int
    dropped: int
    centre: ctypes.Array[ctypes.c_double]
    radius: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_medial_body(ctypes.Structure):
    index: int
    generation: int

class fracas_medial_query(ctypes.Structure):
    struct_size: int
    selection: int
    broad_phase: int
    tolerance: float

class fracas_medial_contact(ctypes.Structure):
    a: fracas_medial_body
    b: fracas_medial_body
    primitive_a: int
    primitive_b: int
    time: float
    gap: float
    position: ctypes.Array[ctypes.c_double]
    normal: ctypes.Array[ctypes.c_double]
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_medial_statistics(ctypes.Structure):
    contacts: int
    pairs: int
    primitive_pairs: int
    node_tests: int
    primitive_tests: int
    ms_broad: float
    ms_total: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_medial_sink(ctypes.Structure):
    report: fracas_medial_contact_fn
    user: int | None
    statistics: ctypes._Pointer[fracas_medial_statistics]

class fracas_cuda_context(ctypes.Structure): ...

class fracas_cuda_options(ctypes.Structure):
    struct_size: int
    device: int

class fracas_cuda_points(ctypes.Structure):
    data: int | None
    count: int
    scalar: int
    place: int
    reserved: int
    stride: int
    axis_stride: int

class fracas_cuda_move(ctypes.Structure):
    body: fracas_body
    points_t1: fracas_cuda_points

class fracas_cuda_contact(ctypes.Structure):
    a: ctypes.Array[ctypes.c_uint32]
    b: ctypes.Array[ctypes.c_uint32]
    toi: float
    u: float
    v: float
    normal: ctypes.Array[ctypes.c_double]

class fracas_cuda_bodies(ctypes.Structure):
    a: int
    b: int

class fracas_cuda_range(ctypes.Structure):
    contacts: ctypes._Pointer[fracas_cuda_contact]
    bodies: ctypes._Pointer[fracas_cuda_bodies]
    count: int

class fracas_cuda_contacts(ctypes.Structure):
    kinds: ctypes.Array[fracas_cuda_range]
    count: int

class fracas_cuda_statistics(ctypes.Structure):
    candidates: int
    filtered: int
    undecided_quick: int
    undecided_roots: int
    decided_on_host: int
    hits: int
    repeats: int
    unordered: int
    device_bytes: int
    ms_upload: float
    ms_device: float
    ms_download: float
    ms_host: float
    uploaded_bytes: int
    changed_clusters: int
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_closest_point(ctypes.Structure):
    distance: float
    point: ctypes.Array[ctypes.c_double]
    u: float
    v: float
    triangle: int
    side: int

class fracas_body_pair(ctypes.Structure):
    a: fracas_body
    b: fracas_body

class fracas_body_distance(ctypes.Structure):
    distance: float
    point_a: ctypes.Array[ctypes.c_double]
    point_b: ctypes.Array[ctypes.c_double]
    u_a: float
    v_a: float
    u_b: float
    v_b: float
    triangle_a: int
    triangle_b: int

class fracas_body_depth(ctypes.Structure):
    depth: float
    gap: float
    direction: ctypes.Array[ctypes.c_double]
    translation: ctypes.Array[ctypes.c_double]

class fracas_intersection(ctypes.Structure):
    meeting: int
    count: int
    points: ctypes.Array[ctypes.Array[ctypes.c_double]]

class fracas_impact(ctypes.Structure):
    toi: float
    u: float
    v: float
    normal: ctypes.Array[ctypes.c_double]

class fracas_distance(ctypes.Structure):
    distance: float
    weights: ctypes.Array[ctypes.c_double]
    points: ctypes.Array[ctypes.Array[ctypes.c_double]]
    normal: ctypes.Array[ctypes.c_double]
    type: int

class fracas_pair_batch(ctypes.Structure):
    struct_size: int
    kind: int
    points_t0: fracas_points
    points_t1: fracas_points
    indices: int | None
    count: int
    min_separation: float
    tolerance: float
    max_distance: float

class fracas_pairs_result(ctypes.Structure):
    hits: int
    earliest_toi: float
    bad_pair: int

class fracas_solid(ctypes.Structure): ...

class fracas_solid_options(ctypes.Structure):
    struct_size: int
    grid_cells: int

class fracas_solid_info(ctypes.Structure):
    nodes: int
    tets: int
    edges: int
    surface_triangles: int
    volume: float
    centre: ctypes.Array[ctypes.c_double]
    radius: float
    box_min: ctypes.Array[ctypes.c_double]
    box_max: ctypes.Array[ctypes.c_double]
    depth: float
    ms_create: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_fragments(ctypes.Structure): ...

class fracas_fragments_options(ctypes.Structure):
    struct_size: int
    field_update: int
    tree_update: int

class fracas_fragment(ctypes.Structure):
    index: int
    generation: int

class fracas_cut_edge(ctypes.Structure):
    node: ctypes.Array[ctypes.c_uint32]
    at: float

class fracas_fracture(ctypes.Structure):
    part_count: int
    cut_count: int
    node_parts: int | None
    cuts: ctypes._Pointer[fracas_cut_edge]

class fracas_fragment_info(ctypes.Structure):
    nodes: int
    tets: int
    cut_tets: int
    volume: float
    centre: ctypes.Array[ctypes.c_double]
    inertia: ctypes.Array[ctypes.c_double]
    box_min: ctypes.Array[ctypes.c_double]
    box_max: ctypes.Array[ctypes.c_double]
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_depth(ctypes.Structure):
    inside: bool
    depth: float
    direction: ctypes.Array[ctypes.c_double]

class fracas_fragment_surface(ctypes.Structure): ...

class fracas_fracture_pattern(ctypes.Structure): ...

class fracas_fragment_query(ctypes.Structure):
    struct_size: int
    selection: int
    order: int
    contact_count: int
    skin: float
    distance: float

class fracas_fragment_contact(ctypes.Structure):
    a: fracas_fragment
    b: fracas_fragment
    point: int
    depth: float
    position: ctypes.Array[ctypes.c_double]
    normal: ctypes.Array[ctypes.c_double]
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_fragment_statistics(ctypes.Structure):
    contacts: int
    pairs: int
    visited: int
    culled: int
    located: int
    colliding: int
    ms_broad: float
    ms_total: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_fragment_sink(ctypes.Structure):
    report: fracas_fragment_contact_fn
    user: int | None
    statistics: ctypes._Pointer[fracas_fragment_statistics]

class fracas_intersections(ctypes.Structure): ...

class fracas_intersections_view(ctypes.Structure):
    data: ctypes._Pointer[fracas_intersection]
    places: int | None
    count: int
    place_count: int
    curve_count: int
    curve_offsets: int | None
    curve_points: int | None
    curve_places: int | None

class fracas_inside(ctypes.Structure):
    inner: fracas_body
    outer: fracas_body
    vertex: int
    parts: int

class fracas_mesh_file_options(ctypes.Structure):
    struct_size: int
    weld: int
    surface: bool

class fracas_mesh_file(ctypes.Structure): ...

class fracas_left_out(ctypes.Structure):
    name: bytes | None
    count: int

class fracas_mesh_faces(ctypes.Structure):
    face_count: int
    face_offsets: int | None
    face_vertices: int | None
    triangle_faces: int | None

class fracas_vertex_pair(ctypes.Structure):
    body_a: fracas_body
    body_b: fracas_body
    vertex_a: int
    vertex_b: int

class fracas_rest_shape(ctypes.Structure):
    body: fracas_body
    points: fracas_points

class fracas_pair_filter(ctypes.Structure):
    struct_size: int
    rings: int
    rest_distance: float
    rest_shapes: ctypes._Pointer[fracas_rest_shape]
    vertex_pairs: ctypes._Pointer[fracas_vertex_pair]
    vertex_pair_count: int
    rest_shape_count: int
    keep: fracas_pair_filter_fn
    user: int | None

class fracas_tets(ctypes.Structure): ...

class fracas_tets_options(ctypes.Structure):
    struct_size: int
    depth: bool
    cell_size: float

class fracas_tets_query(ctypes.Structure):
    struct_size: int
    self: bool
    inter: bool
    depth: bool

class fracas_penetration(ctypes.Structure):
    vertex_body: fracas_body
    tet_body: fracas_body
    vertex: int
    tet: int
    barycentric: ctypes.Array[ctypes.c_double]
    depth: float
    direction: ctypes.Array[ctypes.c_double]

class fracas_tets_statistics(ctypes.Structure):
    penetrations: int
    cells: int
    candidates: int
    tested: int
    exact: int
    ms_detect: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_tets_update_statistics(ctypes.Structure):
    vertices: int
    tets: int
    cell_size: float
    ms_update: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_tets_sink(ctypes.Structure):
    report: fracas_penetration_fn
    user: int | None
    statistics: ctypes._Pointer[fracas_tets_statistics]

class fracas_tets_body_info(ctypes.Structure):
    user: int | None
    vertex_numbers: int
    tet_numbers: int
    vertices: int
    tets: int
    reserved: ctypes.Array[ctypes.c_uint32]

class fracas_new_tet_vertex(ctypes.Structure):
    parent_a: int
    parent_b: int
    weight: float
    at: ctypes.Array[ctypes.c_double]

class fracas_tet_repoint(ctypes.Structure):
    tet: int
    corner: int
    vertex: int

class fracas_tet_split(ctypes.Structure):
    struct_size: int
    new_vertex_count: int
    new_vertices: ctypes._Pointer[fracas_new_tet_vertex]
    repoints: ctypes._Pointer[fracas_tet_repoint]
    repoint_count: int
    new_tet_count: int
    new_tets: int | None
    removed_tets: int | None
    removed_tet_count: int
    part_count: int
    part_offsets: int | None
    part_tets: int | None

class fracas_tet_weld(ctypes.Structure):
    body_a: int
    vertex_a: int
    body_b: int
    vertex_b: int

class fracas_tet_merge(ctypes.Structure):
    struct_size: int
    weld_count: int
    welds: ctypes._Pointer[fracas_tet_weld]
    vertex_map: int | None
    tet_map: int | None

class fracas_penetrations(ctypes.Structure): ...

class fracas_contact_record(ctypes.Structure):
    a: ctypes.Array[ctypes.c_uint32]
    b: ctypes.Array[ctypes.c_uint32]

class fracas_contact_run(ctypes.Structure):
    kind: int
    body_a: fracas_body
    body_b: fracas_body
    first: int
    count: int

class fracas_contact_block(ctypes.Structure):
    count: int
    run_count: int
    records: ctypes._Pointer[fracas_contact_record]
    runs: ctypes._Pointer[fracas_contact_run]
    toi: int | None
    parameters: int | None
    normals: int | None
    distances: int | None
    closest: int | None

class fracas_stream(ctypes.Structure):
    struct_size: int
    block_contacts: int
    values: int
    report: fracas_block_fn
    user: int | None
    statistics: ctypes._Pointer[fracas_statistics]

class fracas_contact_place(ctypes.Structure):
    a: ctypes.Array[ctypes.c_uint32]
    b: ctypes.Array[ctypes.c_uint32]
    a_count: int
    b_count: int
    point_a: ctypes.Array[ctypes.c_double]
    point_b: ctypes.Array[ctypes.c_double]

class fracas_tet_mesh(ctypes.Structure): ...

class fracas_tet_mesh_options(ctypes.Structure):
    struct_size: int
    cells: int
    cell_size: float
    sharp_angle: float

class fracas_tet_mesh_fit(ctypes.Structure):
    samples: int
    max: float
    mean: float

class fracas_tet_mesh_info(ctypes.Structure):
    nodes: int
    tets: int
    boundary_triangles: int
    cells: ctypes.Array[ctypes.c_uint32]
    cell_size: float
    lattice_points: int
    irregular_points: int
    dihedral_min: float
    dihedral_max: float
    dihedral_mean: float
    quality_min: float
    quality_mean: float
    volume: float
    surface_volume: float
    diagonal: float
    to_surface: fracas_tet_mesh_fit
    from_surface: fracas_tet_mesh_fit
    ms: float
    ms_measure: float
    reserved: ctypes.Array[ctypes.c_uint64]

class fracas_triangle_mark(ctypes.Structure):
    depth: int
    region: int

class fracas_published_tets_options(ctypes.Structure):
    struct_size: int
    method: int
    hash: int
    table_size: int
    test: int

class fracas_published_scene_options(ctypes.Structure):
    struct_size: int
    scene: fracas_scene_options
    builder: int
    rebuild: int
    inherit: bool
    grid_levels: int
    grid_stop: int
    grid_in_turn: bool
    restructure: int
    metric: int
    restructure_share: float
    cull: int
    broad: int
    cell_size: float
    scheduler: int

class fracas_published_query(ctypes.Structure):
    struct_size: int
    query: fracas_query
    filter: int
    no_cull: bool

class fracas_published_statistics(ctypes.Structure):
    ms_low: float
    ms_high: float
    requests: int
    refusals: int
    locks: int
    rebuilt: int
    rebuilt_top: int
    low_nodes: int
    low_tasks: int
    high_nodes: int
    high_pairs: int
    high_rounds: int
    reserved: ctypes.Array[ctypes.c_uint64]

fracas_task_fn: Any
fracas_log_fn: Any
fracas_progress_fn: Any
fracas_contact_fn: Any
fracas_medial_contact_fn: Any
fracas_fragment_contact_fn: Any
fracas_inside_fn: Any
fracas_pair_filter_fn: Any
fracas_penetration_fn: Any
fracas_block_fn: Any

FUNCTIONS: dict[str, Any]

class Library:
    path: str
    has_cuda: bool
    def __init__(self, path: str) -> None: ...
    fracas_status_get_name: Callable[[int], bytes | None]
    fracas_get_version: Callable[[], bytes | None]
    fracas_context_default_options: Callable[[], fracas_context_options]
    fracas_context_create: Callable[[
        _Ref[fracas_context_options], _Ref[ctypes._Pointer[fracas_context]]
    ], int]
    fracas_context_destroy: Callable[[_Ref[fracas_context]], None]
    fracas_context_get_message: Callable[[_Ref[fracas_context], _Address, int], int]
    fracas_context_cancel: Callable[[_Ref[fracas_context]], None]
    fracas_context_resume: Callable[[_Ref[fracas_context]], None]
    fracas_context_get_worker_count: Callable[[_Ref[fracas_context]], int]
    fracas_scene_default_query: Callable[[], fracas_query]
    fracas_contacts_create: Callable[[
        _Ref[fracas_context], _Ref[ctypes._Pointer[fracas_contacts]]
    ], int]
    fracas_contacts_destroy: Callable[[_Ref[fracas_contacts]], None]
    fracas_contacts_get_sink: Callable[[_Ref[fracas_contacts]], fracas_sink]
    fracas_contacts_get_data: Callable[[
        _Ref[fracas_contacts], _Address
    ], ctypes._Pointer[fracas_contact]]
    fracas_contacts_get_statistics: Callable[[
        _Ref[fracas_contacts]
    ], ctypes._Pointer[fracas_statistics]]
    fracas_mesh_validate: Callable[[_Ref[fracas_context], _Ref[fracas_mesh_view]], int]
    fracas_mesh_describe: Callable[[
        _Ref[fracas_context], _Ref[fracas_mesh_view], _Ref[fracas_mesh_info]
    ], int]
    fracas_tet_validate: Callable[[_Ref[fracas_context], _Ref[fracas_tet_view]], int]
    fracas_tet_describe: Callable[[
        _Ref[fracas_context], _Ref[fracas_tet_view], _Ref[fracas_tet_info]
    ], int]
    fracas_tet_find_boundary: Callable[[
        _Ref[fracas_context], _Ref[fracas_tet_view], _Address, _Address, _Address
    ], int]
    fracas_pose_make_identity: Callable[[], fracas_pose]
    fracas_scene_default_options: Callable[[], fracas_scene_options]
    fracas_scene_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_scene_options],
        _Ref[ctypes._Pointer[fracas_scene]]
    ], int]
    fracas_scene_destroy: Callable[[_Ref[fracas_scene]], None]
    fracas_body_default_options: Callable[[], fracas_body_options]
    fracas_scene_add: Callable[[
        _Ref[fracas_scene], _Ref[fracas_mesh_view], _Ref[fracas_body_options],
        _Ref[fracas_body]
    ], int]
    fracas_scene_set_thickness: Callable[[_Ref[fracas_scene], fracas_body, float], int]
    fracas_scene_remove: Callable[[_Ref[fracas_scene], fracas_body], int]
    fracas_scene_move: Callable[[_Ref[fracas_scene], fracas_body, _Ref[fracas_points]], int]
    fracas_scene_pose: Callable[[
        _Ref[fracas_scene], fracas_body, _Ref[fracas_pose], _Ref[fracas_pose]
    ], int]
    fracas_scene_move_many: Callable[[_Ref[fracas_scene], _Ref[fracas_move], int], int]
    fracas_scene_advance: Callable[[_Ref[fracas_scene]], int]
    fracas_scene_update: Callable[[_Ref[fracas_scene]], int]
    fracas_scene_get_update_statistics: Callable[[
        _Ref[fracas_scene], _Ref[fracas_update_statistics]
    ], int]
    fracas_scene_get_body: Callable[[_Ref[fracas_scene], fracas_body, _Ref[fracas_body_info]], int]
    fracas_scene_set_user: Callable[[_Ref[fracas_scene], fracas_body, _Address], int]
    fracas_scene_get_triangle: Callable[[_Ref[fracas_scene], fracas_body, int, _Address], int]
    fracas_scene_get_vertex: Callable[[
        _Ref[fracas_scene], fracas_body, int, _Address, _Address
    ], int]
    fracas_scene_default_split: Callable[[], fracas_split]
    fracas_scene_split: Callable[[
        _Ref[fracas_scene], fracas_body, _Ref[fracas_split], _Ref[fracas_body]
    ], int]
    fracas_split_plan_create: Callable[[
        _Ref[fracas_scene], fracas_body, _Address, int,
        _Ref[ctypes._Pointer[fracas_split_plan]]
    ], int]
    fracas_split_plan_get_split: Callable[[_Ref[fracas_split_plan]], ctypes._Pointer[fracas_split]]
    fracas_split_plan_destroy: Callable[[_Ref[fracas_split_plan]], None]
    fracas_scene_default_merge: Callable[[], fracas_merge]
    fracas_scene_merge: Callable[[
        _Ref[fracas_scene], _Ref[fracas_body], int, _Ref[fracas_merge], _Ref[fracas_body]
    ], int]
    fracas_scene_trace: Callable[[
        _Ref[fracas_scene], _Ref[fracas_element], _Ref[fracas_element]
    ], int]
    fracas_scene_detect: Callable[[_Ref[fracas_scene], _Ref[fracas_query], _Ref[fracas_sink]], int]
    fracas_scene_nearby: Callable[[_Ref[fracas_scene], float, _Ref[fracas_sink]], int]
    fracas_scene_max_step: Callable[[_Ref[fracas_scene], _Ref[fracas_query], _Address], int]
    fracas_scene_candidates: Callable[[_Ref[fracas_scene], float, _Ref[fracas_sink]], int]
    fracas_candidates_create: Callable[[
        _Ref[fracas_scene], float, _Ref[ctypes._Pointer[fracas_candidates]]
    ], int]
    fracas_candidates_destroy: Callable[[_Ref[fracas_candidates]], None]
    fracas_candidates_get_count: Callable[[_Ref[fracas_candidates]], int]
    fracas_candidates_detect: Callable[[
        _Ref[fracas_candidates], _Ref[fracas_query], _Ref[fracas_sink]
    ], int]
    fracas_candidates_max_step: Callable[[
        _Ref[fracas_candidates], _Ref[fracas_query], _Address
    ], int]
    fracas_scene_safe_distances: Callable[[
        _Ref[fracas_scene], float, _Ref[fracas_vertex_values], int
    ], int]
    fracas_contacts_group: Callable[[
        _Ref[fracas_context], _Ref[fracas_contact], int, _Ref[fracas_contact_rows]
    ], int]
    fracas_medial_mesh_default_options: Callable[[], fracas_medial_mesh_options]
    fracas_medial_mesh_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_mesh_view], _Ref[fracas_medial_mesh_options],
        _Ref[ctypes._Pointer[fracas_medial_mesh]]
    ], int]
    fracas_medial_mesh_create_from: Callable[[
        _Ref[fracas_context], _Ref[fracas_medial_view],
        _Ref[ctypes._Pointer[fracas_medial_mesh]]
    ], int]
    fracas_medial_mesh_destroy: Callable[[_Ref[fracas_medial_mesh]], None]
    fracas_medial_mesh_get_view: Callable[[_Ref[fracas_medial_mesh]], fracas_medial_view]
    fracas_medial_mesh_get_info: Callable[[
        _Ref[fracas_medial_mesh], _Ref[fracas_medial_mesh_info]
    ], int]
    fracas_medial_mesh_read: Callable[[
        _Ref[fracas_context], bytes | None, _Ref[ctypes._Pointer[fracas_medial_mesh]]
    ], int]
    fracas_medial_mesh_parse: Callable[[
        _Ref[fracas_context], bytes | None, _Address, int,
        _Ref[ctypes._Pointer[fracas_medial_mesh]]
    ], int]
    fracas_medial_mesh_write: Callable[[_Ref[fracas_medial_mesh], bytes | None], int]
    fracas_medial_shape_default_options: Callable[[], fracas_medial_shape_options]
    fracas_medial_shape_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_medial_mesh], _Ref[fracas_medial_shape_options],
        _Ref[ctypes._Pointer[fracas_medial_shape]]
    ], int]
    fracas_medial_shape_create_from_surface: Callable[[
        _Ref[fracas_context], _Ref[fracas_mesh_view], _Ref[fracas_medial_shape_options],
        _Ref[ctypes._Pointer[fracas_medial_shape]]
    ], int]
    fracas_medial_shape_destroy: Callable[[_Ref[fracas_medial_shape]], None]
    fracas_medial_shape_get_info: Callable[[
        _Ref[fracas_medial_shape], _Ref[fracas_medial_shape_info]
    ], int]
    fracas_medial_bodies_create: Callable[[
        _Ref[fracas_context], _Ref[ctypes._Pointer[fracas_medial_bodies]]
    ], int]
    fracas_medial_bodies_destroy: Callable[[_Ref[fracas_medial_bodies]], None]
    fracas_medial_bodies_add: Callable[[
        _Ref[fracas_medial_bodies], _Ref[fracas_medial_shape], _Ref[fracas_medial_body]
    ], int]
    fracas_medial_bodies_remove: Callable[[_Ref[fracas_medial_bodies], fracas_medial_body], int]
    fracas_medial_bodies_set_motion: Callable[[
        _Ref[fracas_medial_bodies], fracas_medial_body, _Ref[fracas_pose],
        _Ref[fracas_pose]
    ], int]
    fracas_medial_bodies_set_fixed: Callable[[
        _Ref[fracas_medial_bodies], fracas_medial_body, bool
    ], int]
    fracas_medial_bodies_default_query: Callable[[], fracas_medial_query]
    fracas_medial_bodies_detect: Callable[[
        _Ref[fracas_medial_bodies], _Ref[fracas_medial_query], _Ref[fracas_medial_sink]
    ], int]
    fracas_cuda_default_options: Callable[[], fracas_cuda_options]
    fracas_cuda_context_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_cuda_options],
        _Ref[ctypes._Pointer[fracas_cuda_context]]
    ], int]
    fracas_cuda_context_destroy: Callable[[_Ref[fracas_cuda_context]], None]
    fracas_cuda_context_get_name: Callable[[_Ref[fracas_cuda_context]], bytes | None]
    fracas_cuda_scene_create: Callable[[
        _Ref[fracas_cuda_context], _Ref[fracas_scene_options],
        _Ref[ctypes._Pointer[fracas_scene]]
    ], int]
    fracas_cuda_scene_move: Callable[[
        _Ref[fracas_scene], _Ref[fracas_cuda_move], int, _Address
    ], int]
    fracas_cuda_scene_detect: Callable[[
        _Ref[fracas_scene], _Ref[fracas_query], int, _Address, _Ref[fracas_cuda_contacts]
    ], int]
    fracas_cuda_scene_get_statistics: Callable[[
        _Ref[fracas_scene], _Ref[fracas_cuda_statistics]
    ], int]
    fracas_cuda_medial_bodies_create: Callable[[
        _Ref[fracas_cuda_context], _Ref[ctypes._Pointer[fracas_medial_bodies]]
    ], int]
    fracas_cuda_medial_bodies_get_statistics: Callable[[
        _Ref[fracas_medial_bodies], _Ref[fracas_cuda_statistics]
    ], int]
    fracas_scene_find_containment: Callable[[
        _Ref[fracas_scene], fracas_body, _Ref[fracas_points], _Address
    ], int]
    fracas_scene_find_closest_points: Callable[[
        _Ref[fracas_scene], fracas_body, _Ref[fracas_points], _Ref[fracas_closest_point]
    ], int]
    fracas_scene_find_signed_distances: Callable[[
        _Ref[fracas_scene], fracas_body, _Ref[fracas_points], _Ref[fracas_closest_point]
    ], int]
    fracas_scene_find_distances: Callable[[
        _Ref[fracas_scene], _Ref[fracas_body_pair], int, _Ref[fracas_body_distance]
    ], int]
    fracas_scene_find_depths: Callable[[
        _Ref[fracas_scene], _Ref[fracas_body_pair], int, _Ref[fracas_body_depth]
    ], int]
    fracas_triangles_intersect: Callable[[_Address, _Address], bool]
    fracas_mesh_triangles_intersect: Callable[[_Address, _Address, _Address, _Address], bool]
    fracas_triangles_find_intersection: Callable[[
        _Address, _Address, _Ref[fracas_intersection]
    ], bool]
    fracas_mesh_triangles_find_intersection: Callable[[
        _Address, _Address, _Address, _Address, _Ref[fracas_intersection]
    ], bool]
    fracas_point_is_in_tetrahedron: Callable[[_Address, _Address], bool]
    fracas_vertex_face_find_impact: Callable[[
        _Address, _Address, _Address, _Address, float, _Ref[fracas_impact]
    ], bool]
    fracas_edge_edge_find_impact: Callable[[
        _Address, _Address, _Address, _Address, float, _Ref[fracas_impact]
    ], bool]
    fracas_vertex_face_find_approach: Callable[[
        _Address, _Address, _Address, _Address, float, float, _Ref[fracas_impact]
    ], bool]
    fracas_edge_edge_find_approach: Callable[[
        _Address, _Address, _Address, _Address, float, float, _Ref[fracas_impact]
    ], bool]
    fracas_vertex_edge_find_approach: Callable[[
        _Address, _Address, _Address, _Address, float, float, _Ref[fracas_impact]
    ], bool]
    fracas_vertex_vertex_find_approach: Callable[[
        _Address, _Address, _Address, _Address, float, float, _Ref[fracas_impact]
    ], bool]
    fracas_vertex_face_find_distance: Callable[[
        _Address, _Address, float, _Ref[fracas_distance]
    ], bool]
    fracas_edge_edge_find_distance: Callable[[
        _Address, _Address, float, _Ref[fracas_distance]
    ], bool]
    fracas_vertex_edge_find_distance: Callable[[
        _Address, _Address, float, _Ref[fracas_distance]
    ], bool]
    fracas_vertex_vertex_find_distance: Callable[[
        _Address, _Address, float, _Ref[fracas_distance]
    ], bool]
    fracas_pairs_default_batch: Callable[[], fracas_pair_batch]
    fracas_pairs_find_impacts: Callable[[
        _Ref[fracas_context], _Ref[fracas_pair_batch], _Address, _Ref[fracas_impact],
        _Ref[fracas_pairs_result]
    ], int]
    fracas_pairs_find_distances: Callable[[
        _Ref[fracas_context], _Ref[fracas_pair_batch], _Address, _Ref[fracas_distance],
        _Ref[fracas_pairs_result]
    ], int]
    fracas_solid_default_options: Callable[[], fracas_solid_options]
    fracas_solid_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_tet_view], _Ref[fracas_solid_options],
        _Ref[ctypes._Pointer[fracas_solid]]
    ], int]
    fracas_solid_destroy: Callable[[_Ref[fracas_solid]], None]
    fracas_solid_get_info: Callable[[_Ref[fracas_solid], _Ref[fracas_solid_info]], int]
    fracas_solid_get_tets: Callable[[_Ref[fracas_solid]], fracas_tet_view]
    fracas_fragments_default_options: Callable[[], fracas_fragments_options]
    fracas_fragments_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_fragments_options],
        _Ref[ctypes._Pointer[fracas_fragments]]
    ], int]
    fracas_fragments_destroy: Callable[[_Ref[fracas_fragments]], None]
    fracas_fragments_add: Callable[[
        _Ref[fracas_fragments], _Ref[fracas_solid], _Ref[fracas_fragment]
    ], int]
    fracas_fragments_remove: Callable[[_Ref[fracas_fragments], fracas_fragment], int]
    fracas_fragments_fracture: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Ref[fracas_fracture],
        _Ref[fracas_fragment]
    ], int]
    fracas_fragments_get_solid: Callable[[
        _Ref[fracas_fragments], fracas_fragment
    ], ctypes._Pointer[fracas_solid]]
    fracas_fragments_get_info: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Ref[fracas_fragment_info]
    ], int]
    fracas_fragments_locate: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Address, _Ref[fracas_depth]
    ], int]
    fracas_fragment_surface_create: Callable[[
        _Ref[fracas_fragments], fracas_fragment,
        _Ref[ctypes._Pointer[fracas_fragment_surface]]
    ], int]
    fracas_fragment_surface_destroy: Callable[[_Ref[fracas_fragment_surface]], None]
    fracas_fragment_surface_get_view: Callable[[_Ref[fracas_fragment_surface]], fracas_mesh_view]
    fracas_fragment_surface_get_cracks: Callable[[_Ref[fracas_fragment_surface]], int | None]
    fracas_fracture_pattern_create_plane: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Address, _Address,
        _Ref[ctypes._Pointer[fracas_fracture_pattern]]
    ], int]
    fracas_fracture_pattern_create_voronoi: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Address, int,
        _Ref[ctypes._Pointer[fracas_fracture_pattern]]
    ], int]
    fracas_fracture_pattern_destroy: Callable[[_Ref[fracas_fracture_pattern]], None]
    fracas_fracture_pattern_get: Callable[[_Ref[fracas_fracture_pattern]], fracas_fracture]
    fracas_fragments_set_pose: Callable[[
        _Ref[fracas_fragments], fracas_fragment, _Ref[fracas_pose]
    ], int]
    fracas_fragments_set_fixed: Callable[[_Ref[fracas_fragments], fracas_fragment, bool], int]
    fracas_fragments_default_query: Callable[[], fracas_fragment_query]
    fracas_fragments_detect: Callable[[
        _Ref[fracas_fragments], _Ref[fracas_fragment_query], _Ref[fracas_fragment_sink]
    ], int]
    fracas_scene_find_intersection: Callable[[
        _Ref[fracas_scene], _Ref[fracas_contact], _Ref[fracas_intersection]
    ], int]
    fracas_intersections_create: Callable[[
        _Ref[fracas_scene], _Ref[fracas_contact], int,
        _Ref[ctypes._Pointer[fracas_intersections]]
    ], int]
    fracas_intersections_destroy: Callable[[_Ref[fracas_intersections]], None]
    fracas_intersections_get_view: Callable[[_Ref[fracas_intersections]], fracas_intersections_view]
    fracas_scene_find_inside: Callable[[
        _Ref[fracas_scene], _Ref[fracas_contact], int, fracas_inside_fn, _Address
    ], int]
    fracas_mesh_file_default_options: Callable[[], fracas_mesh_file_options]
    fracas_mesh_file_read: Callable[[
        _Ref[fracas_context], bytes | None, _Ref[fracas_mesh_file_options],
        _Ref[ctypes._Pointer[fracas_mesh_file]]
    ], int]
    fracas_mesh_file_parse: Callable[[
        _Ref[fracas_context], bytes | None, _Address, int, _Ref[fracas_mesh_file_options],
        _Ref[ctypes._Pointer[fracas_mesh_file]]
    ], int]
    fracas_mesh_file_destroy: Callable[[_Ref[fracas_mesh_file]], None]
    fracas_mesh_file_get_view: Callable[[_Ref[fracas_mesh_file]], fracas_mesh_view]
    fracas_mesh_file_get_tets: Callable[[_Ref[fracas_mesh_file]], fracas_tet_view]
    fracas_mesh_file_get_face_tets: Callable[[_Ref[fracas_mesh_file]], int | None]
    fracas_mesh_file_count_left_out: Callable[[_Ref[fracas_mesh_file]], int]
    fracas_mesh_file_get_left_out: Callable[[_Ref[fracas_mesh_file], int], fracas_left_out]
    fracas_mesh_file_get_format: Callable[[_Ref[fracas_mesh_file]], bytes | None]
    fracas_mesh_file_get_faces: Callable[[_Ref[fracas_mesh_file]], fracas_mesh_faces]
    fracas_mesh_file_get_vertex_parents: Callable[[_Ref[fracas_mesh_file]], int | None]
    fracas_mesh_file_get_face_parents: Callable[[_Ref[fracas_mesh_file]], int | None]
    fracas_mesh_file_triangulate_like: Callable[[
        _Ref[fracas_mesh_file], _Ref[fracas_mesh_file]
    ], int]
    fracas_ply_write: Callable[[
        _Ref[fracas_context], bytes | None, _Ref[fracas_mesh_view], _Address, _Address
    ], int]
    fracas_scene_default_filter: Callable[[], fracas_pair_filter]
    fracas_scene_set_filter: Callable[[_Ref[fracas_scene], _Ref[fracas_pair_filter]], int]
    fracas_tets_default_options: Callable[[], fracas_tets_options]
    fracas_tets_default_query: Callable[[], fracas_tets_query]
    fracas_tets_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_tets_options],
        _Ref[ctypes._Pointer[fracas_tets]]
    ], int]
    fracas_tets_destroy: Callable[[_Ref[fracas_tets]], None]
    fracas_tets_add: Callable[[_Ref[fracas_tets], _Ref[fracas_tet_view], _Ref[fracas_body]], int]
    fracas_tets_remove: Callable[[_Ref[fracas_tets], fracas_body], int]
    fracas_tets_move: Callable[[_Ref[fracas_tets], fracas_body, _Ref[fracas_points]], int]
    fracas_tets_update: Callable[[_Ref[fracas_tets]], int]
    fracas_tets_get_update_statistics: Callable[[
        _Ref[fracas_tets], _Ref[fracas_tets_update_statistics]
    ], int]
    fracas_tets_detect: Callable[[
        _Ref[fracas_tets], _Ref[fracas_tets_query], _Ref[fracas_tets_sink]
    ], int]
    fracas_tets_get_body: Callable[[
        _Ref[fracas_tets], fracas_body, _Ref[fracas_tets_body_info]
    ], int]
    fracas_tets_set_user: Callable[[_Ref[fracas_tets], fracas_body, _Address], int]
    fracas_tets_get_tet: Callable[[_Ref[fracas_tets], fracas_body, int, _Address], int]
    fracas_tets_get_vertex: Callable[[_Ref[fracas_tets], fracas_body, int, _Address], int]
    fracas_tets_default_split: Callable[[], fracas_tet_split]
    fracas_tets_split: Callable[[
        _Ref[fracas_tets], fracas_body, _Ref[fracas_tet_split], _Ref[fracas_body]
    ], int]
    fracas_tets_default_merge: Callable[[], fracas_tet_merge]
    fracas_tets_merge: Callable[[
        _Ref[fracas_tets], _Ref[fracas_body], int, _Ref[fracas_tet_merge],
        _Ref[fracas_body]
    ], int]
    fracas_penetrations_create: Callable[[
        _Ref[fracas_context], _Ref[ctypes._Pointer[fracas_penetrations]]
    ], int]
    fracas_penetrations_destroy: Callable[[_Ref[fracas_penetrations]], None]
    fracas_penetrations_get_sink: Callable[[_Ref[fracas_penetrations]], fracas_tets_sink]
    fracas_penetrations_get_data: Callable[[
        _Ref[fracas_penetrations], _Address
    ], ctypes._Pointer[fracas_penetration]]
    fracas_penetrations_get_statistics: Callable[[
        _Ref[fracas_penetrations]
    ], ctypes._Pointer[fracas_tets_statistics]]
    fracas_scene_default_stream: Callable[[], fracas_stream]
    fracas_scene_stream: Callable[[
        _Ref[fracas_scene], _Ref[fracas_query], _Ref[fracas_stream]
    ], int]
    fracas_scene_stream_nearby: Callable[[_Ref[fracas_scene], float, _Ref[fracas_stream]], int]
    fracas_scene_place_contacts: Callable[[
        _Ref[fracas_scene], _Ref[fracas_contact], int, int, _Ref[fracas_contact_place]
    ], int]
    fracas_tet_mesh_default_options: Callable[[], fracas_tet_mesh_options]
    fracas_tet_mesh_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_mesh_view], _Ref[fracas_tet_mesh_options],
        _Ref[ctypes._Pointer[fracas_tet_mesh]]
    ], int]
    fracas_tet_mesh_destroy: Callable[[_Ref[fracas_tet_mesh]], None]
    fracas_tet_mesh_get_view: Callable[[_Ref[fracas_tet_mesh]], fracas_tet_view]
    fracas_tet_mesh_get_info: Callable[[_Ref[fracas_tet_mesh], _Ref[fracas_tet_mesh_info]], int]
    fracas_scene_get_triangle_marks: Callable[[
        _Ref[fracas_scene], fracas_body, int, _Ref[fracas_triangle_mark], int
    ], int]
    fracas_published_tets_default_options: Callable[[], fracas_published_tets_options]
    fracas_published_tets_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_tets_options],
        _Ref[fracas_published_tets_options], _Ref[ctypes._Pointer[fracas_tets]]
    ], int]
    fracas_published_scene_default_options: Callable[[], fracas_published_scene_options]
    fracas_published_scene_create: Callable[[
        _Ref[fracas_context], _Ref[fracas_published_scene_options],
        _Ref[ctypes._Pointer[fracas_scene]]
    ], int]
    fracas_published_scene_default_query: Callable[[], fracas_published_query]
    fracas_published_scene_detect: Callable[[
        _Ref[fracas_scene], _Ref[fracas_published_query], _Ref[fracas_sink],
        _Ref[fracas_published_statistics]
    ], int]
    fracas_published_scene_detect_lazy: Callable[[
        _Ref[fracas_scene], _Ref[fracas_published_query], _Ref[fracas_sink],
        _Ref[fracas_published_statistics]
    ], int]

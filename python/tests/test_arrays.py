"""What goes in: without a copy where the layout allows it; else an exception that names argument
and index."""
import ctypes

import numpy as np
import pytest

import fracas
from conftest import make_sheet
from fracas import _arrays


def shares(a, b):
    return np.shares_memory(a, b)


# ---- layouts that are taken as they are

def strided():
    return np.zeros((5, 7))[:, 2:5]


@pytest.mark.parametrize("make, taken", [
    (lambda: np.zeros((5, 3)), True),
    (lambda: np.zeros((5, 3), np.float32), True),
    (strided, True),
    (lambda: np.zeros((10, 3))[::2], True),
    (lambda: np.zeros(5, [("p", np.float64, 3), ("w", np.float64)])["p"], True),
    (lambda: np.zeros((3, 5)).T, False),
    (lambda: np.zeros((5, 3))[::-1], False),
    (lambda: np.zeros((5, 3))[:, ::-1], False),
    (lambda: np.zeros((5, 3), ">f8"), False),
    (lambda: np.zeros((5, 3), np.int32), False),
    (lambda: np.zeros((5, 3), np.float16), False),
    (lambda: np.broadcast_to(np.zeros(3), (5, 3)), False),
])
def test_layouts_of_points(make, taken):
    given = make()
    array = _arrays.points(given, "v")
    assert shares(given, array) == taken
    assert array.dtype in (np.float64, np.float32)
    view = _arrays.view_points(array)
    assert view.count == 5 and view.stride >= 12
    assert view.data == array.__array_interface__["data"][0]


@pytest.mark.parametrize("make", [
    lambda v: v[:, ::-1][:, ::-1], lambda v: np.asfortranarray(v), lambda v: v.astype(">f8"),
    lambda v: v.tolist(), lambda v: np.repeat(v, 2, axis=0)[::2], memoryview,
    lambda v: v.view(np.matrix)])
def test_every_layout_gives_the_same(make, soup):
    v, f = soup
    given = make(v)
    assert np.array_equal(fracas.self_intersections(given, f).pairs,
                          fracas.self_intersections(v, f).pairs)


def test_read_only_arrays_are_input():
    v, f = make_sheet(3)
    v.flags.writeable = f.flags.writeable = False
    assert len(fracas.self_intersections(v, f)) == 0


def test_indices_are_taken_as_they_are():
    for dtype in (np.uint32, np.int32):
        f = np.zeros((4, 3), dtype)
        assert shares(_arrays.indices(f, "f", 3), f)
    for dtype in (np.int64, np.uint64, np.uint8, np.int16, ">u4"):
        array = _arrays.indices(np.ones((4, 3), dtype), "f", 3)
        assert array.dtype == np.uint32 and (array == 1).all()


# ---- other libraries

class OnlyDLPack:
    """A tensor that exports DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OnlyInterface:
    """An object with the array interface and nothing else."""

    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__


class OtherDevice(OnlyDLPack):
    def __dlpack_device__(self):
        return (2, 0)  # CUDA


@pytest.mark.parametrize("wrap", [OnlyDLPack, OnlyInterface])
def test_other_libraries_without_a_copy(wrap, soup):
    v, f = soup
    assert shares(_arrays.points(wrap(v), "v"), v)
    assert shares(_arrays.indices(wrap(f), "f", 3), f)
    expected = fracas.self_intersections(v, f)
    assert np.array_equal(fracas.self_intersections(wrap(v), wrap(f)).pairs, expected.pairs)


def test_memory_of_a_device_is_refused(soup):
    v, f = soup
    with pytest.raises(TypeError, match="v is not in the memory of the CPU .DLPack device 2."):
        fracas.self_intersections(OtherDevice(v), f)


# ---- errors

def sheet_with(row, column, value):
    v, f = make_sheet(3)
    v[row, column] = value
    return v, f


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite(value):
    with pytest.raises(fracas.BadDataError, match=r"v\[7, 1\] is (nan|-?inf)") as caught:
        fracas.self_intersections(*sheet_with(7, 1, value))
    assert isinstance(caught.value, ValueError)


def test_numbers_at_the_end_of_a_step():
    v, f = make_sheet(3)
    v1, _ = sheet_with(2, 0, np.nan)
    with pytest.raises(fracas.BadDataError, match=r"v1\[2, 0\] is nan"):
        fracas.detect(v, v1, f)
    with pytest.raises(fracas.BadDataError, match=r"v0\[2, 0\] is nan"):
        fracas.max_step(v1, v, f)
    scene = fracas.Scene()
    body = scene.add(v, f)
    with pytest.raises(fracas.BadDataError, match=r"v1\[2, 0\] is nan"):
        body.move(v1)
    with pytest.raises(fracas.BadDataError, match=r"moves\[0\]\[2, 0\] is nan"):
        scene.move_many({body: v1})


@pytest.mark.parametrize("f, words", [
    ([[0, 1, 16]], r"f\[0, 2\] is 16; there are 16 points"),
    ([[0, 1, 2], [0, -1, 2]], r"f\[1, 1\] is -1"),
    (np.array([[0, -7, 2]], np.int32), r"f\[0, 1\] is -7; there are 16 points"),
    ([[0, 1, 2**40]], r"f\[0, 2\] is 1099511627776"),
    (np.array([[0, 1, 2**63]], np.uint64), r"f\[0, 2\] is 9223372036854775808"),
])
def test_indices_out_of_range(f, words):
    v, _ = make_sheet(3)
    with pytest.raises(fracas.BadIndexError, match=words) as caught:
        fracas.self_intersections(v, f)
    assert isinstance(caught.value, IndexError)


@pytest.mark.parametrize("name, value, words", [
    ("edges", [[0, 99]], r"edges\[0, 1\] is 99"),
    ("points", [3, 99], r"points\[1\] is 99"),
    ("points", [[3]], r"points has shape \(1, 1\); \(n,\) is needed"),
    ("edges", [[1, 2, 3]], r"edges has shape \(1, 3\); \(n, 2\) is needed"),
])
def test_free_edges_and_points(name, value, words):
    v, f = make_sheet(3)
    with pytest.raises(fracas.BadDataError if "is 99" in words else fracas.InvalidArgumentError,
                       match=words):
        fracas.Scene().add(v, f, **{name: value})


@pytest.mark.parametrize("v, kind, words", [
    (np.zeros((4, 2)), ValueError, r"v has shape \(4, 2\); \(n, 3\) is needed"),
    (np.zeros(12), ValueError, r"v has shape \(12,\)"),
    (np.zeros((4, 3, 1)), ValueError, r"v has shape \(4, 3, 1\)"),
    (np.zeros((4, 3), complex), TypeError, "v has dtype complex128"),
    (np.zeros((4, 3), bool), TypeError, "v has dtype bool"),
    (np.zeros((4, 3), np.longdouble), TypeError, "v has dtype float128|v has dtype longdouble"),
    ("vertices", TypeError, "v has dtype <U8"),
    (object(), TypeError, "v is not an array of numbers: object"),
    (None, TypeError, "v is not an array of numbers: NoneType"),
    ([[1, 2, 3], [4, 5]], TypeError, "v is not an array"),
    (np.ma.masked_array(np.zeros((4, 3)), np.eye(4, 3)), TypeError, "v is a masked array"),
    (np.full((4, 3), 2**60), ValueError, r"v has integers over 2\^53"),
])
def test_bad_positions(v, kind, words):
    with pytest.raises(kind, match=words):
        fracas.self_intersections(v, [[0, 1, 2]])


@pytest.mark.parametrize("f, kind, words", [
    ([[0.0, 1.0, 2.0]], TypeError, "f has dtype float64; an integer type is needed"),
    ([[True, False, True]], TypeError, "f has dtype bool"),
    ([0, 1, 2], ValueError, r"f has shape \(3,\); \(n, 3\) is needed"),
    ([[0, 1, 2, 3]], ValueError, r"f has shape \(1, 4\)"),
    ([["a", "b", "c"]], TypeError, "f has dtype <U1"),
    (np.zeros((0, 4), np.uint32), ValueError, r"f has shape \(0, 4\)"),
])
def test_bad_indices(f, kind, words):
    with pytest.raises(kind, match=words):
        fracas.self_intersections(np.zeros((4, 3)), f)


@pytest.mark.parametrize("arguments, kind, words", [
    ({"group": -1}, ValueError, "group is -1; it is from 0 to 4294967295"),
    ({"mask": 2**32}, ValueError, "mask is 4294967296"),
    ({"group": 1.5}, TypeError, "group is a float; an integer is needed"),
    ({"motion": "flying"}, ValueError, "motion is 'flying'; it is one of 'deforming', 'rigid'"),
    ({"motion": 7}, ValueError, "motion is 7"),
    ({"pose": np.eye(3)}, ValueError, r"pose has shape \(3, 3\)"),
    ({"pose": np.full((3, 4), np.nan)}, ValueError, r"pose\[0, 0\] is nan"),
    ({"pose": 2 * np.eye(4)}, ValueError, r"pose\[3\] is"),
])
def test_bad_options(arguments, kind, words):
    v, f = make_sheet(2)
    with pytest.raises(kind, match=words):
        fracas.Scene().add(v, f, **arguments)


def test_a_wrong_number_of_points():
    v, f = make_sheet(2)
    scene = fracas.Scene()
    body = scene.add(v, f)
    with pytest.raises(fracas.InvalidArgumentError, match="v1 has 8 points; the body has 9"):
        body.move(v[:-1])
    with pytest.raises(fracas.InvalidArgumentError, match="v1 has 8 points; v0 has 9"):
        fracas.detect(v, v[:-1], f)


def test_the_raw_interface_takes_addresses():
    v = np.zeros((4, 3))
    view = fracas.abi.fracas_points(v.ctypes.data, 4, 0, fracas.abi.fracas_scalar.DOUBLE)
    assert ctypes.sizeof(view) == 24 and view.data == v.ctypes.data

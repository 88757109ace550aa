"""Scenes on a device find what scenes on the CPU find, bit for bit; without one the exception says
what is missing. CTest runs this with libfracas, and with a library that has an emulated device."""
import gc

import numpy as np
import pytest

import fracas
from conftest import make_sheet, make_soup

EMULATED = False
if fracas.lib.has_cuda:
    try:
        EMULATED = fracas.Scene(device="emulated").device == "emulated"
    except fracas.UnsupportedError:
        pass
emulated = pytest.mark.skipif(not EMULATED, reason="the library has no emulated device")


@pytest.mark.skipif(fracas.lib.has_cuda, reason="the library has CUDA")
def test_without_cuda():
    for device in ("cuda", "cuda:1", "emulated"):
        with pytest.raises(fracas.UnsupportedError, match="needs libfracas-cuda.*FRACAS_CUDA=ON"):
            fracas.Scene(device=device)


def test_what_is_no_device():
    for device in ("", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda1", "CUDA", "cuda:99999"):
        with pytest.raises(fracas.InvalidArgumentError, match="it is 'cpu', 'cuda'"):
            fracas.Scene(device=device)
    with pytest.raises(TypeError, match="device is a int"):
        fracas.Scene(device=0)


def test_the_cpu():
    with fracas.Scene(device="cpu") as scene:
        assert scene.device == "cpu"
        with pytest.raises(fracas.InvalidArgumentError, match="on the CPU"):
            print(scene.device_statistics)


def both(context=None):
    return [fracas.Scene(device=device, context=context) for device in ("cpu", "emulated")]


@emulated
def test_the_same_bits():
    v, f = make_sheet(10)
    soup, faces = make_soup(200)
    results = []
    for scene in both(fracas.Context(2)):
        found = []
        sheet = scene.add(v + (0, 0, 0.5), f)
        scene.add(soup, faces, self_collision=False)
        for step in range(4):
            sheet.move(v + (0.01 * step, 0, 0.5 - 0.1 * step))
            found += [scene.detect("both").tobytes(), scene.detect(min_separation=0.01).tobytes(),
                      scene.nearby(0.02).tobytes(), scene.max_step()]
            if step == 1:
                labels = np.arange(len(f), dtype=np.uint32) // (len(f) // 2)
                scene.split(sheet, labels)
                break
            scene.advance()
        results.append(found)
    assert results[0] == results[1] and len(results[0][0]) > 1000


@emulated
def test_what_it_did():
    with fracas.Scene(device="emulated") as scene:
        v, f = make_sheet(6)
        body = scene.add(v, f)
        scene.add(v[:, [0, 2, 1]] + (0, 0.4, -0.5), f)
        body.move(v + (0, 0, 0.3))
        count = len(scene.detect())
        s = scene.device_statistics
        assert scene.device == "emulated" and s.hits + s.decided_on_host >= count > 0
        assert s.candidates >= s.filtered and s.device_bytes > 0 and s.ms_device > 0
        scene.close()
        with pytest.raises(fracas.InvalidArgumentError, match="closed"):
            print(scene.device_statistics)


@emulated
def test_other_devices():
    with pytest.raises(fracas.InvalidArgumentError, match="no CUDA device 3"):
        fracas.Scene(device="cuda:3")
    with pytest.raises(fracas.UnsupportedError, match="has the device 'emulated' only"):
        fracas.Scene(device="cuda")


@emulated
def test_the_device_lives_as_long_as_its_scenes():
    context = fracas.Context(1)
    scenes = [fracas.Scene(device="emulated", context=context) for _ in range(3)]
    assert list(context.core.devices) == [0]
    v, f = make_sheet(4)
    for scene in scenes:
        scene.add(v, f)
    contacts = scenes[0].detect("discrete")
    del context, scenes[0], scene
    gc.collect()
    assert len(scenes[1].detect("discrete")) == len(contacts) == 0
    scenes.append(scenes)  # a cycle
    del scenes
    gc.collect()
